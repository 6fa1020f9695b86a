"""What rules and views are made of, beneath `game.py`: records, sentences, figures, and what is worked out once."""
