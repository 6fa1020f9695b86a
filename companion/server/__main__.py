"""The process of a server: gunicorn, which imports nothing from the folder in which somebody has started it."""

from __future__ import annotations

from gunicorn.app.wsgiapp import WSGIApplication


class Server(WSGIApplication):  # type: ignore[misc]
    """gunicorn, as it is begun by its own command, but for where it looks for modules."""

    def chdir(self) -> None:
        """Stay in that folder; gunicorn calls this by its name, and would look there before anywhere else."""


if __name__ == "__main__":
    Server().run()
