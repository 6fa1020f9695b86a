"""Players who are not there: they play by themselves, through the one door, at a person's pace.

At a table where somebody tries a game alone (`practice.py`), and at those of `companion demo` (`demonstration.py`).
What they do is what each game holds likely (`Game.likely`); one thread of a process plays for all (`playing.py`).
"""
