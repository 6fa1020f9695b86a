"""How the migrations reach the app's database; run by `companion serve`, or by hand with `flask db`."""

from alembic import context
from flask import current_app

db = current_app.extensions["migrate"].db

with db.engine.connect().execution_options(is_writing=True) as connection:
    # SQLite changes a table by making it anew; what refers to the old one must not be deleted with it.
    pragma = connection.connection.cursor().execute if connection.dialect.name == "sqlite" else None
    if pragma:
        pragma("PRAGMA foreign_keys=OFF")
    context.configure(
        connection=connection,
        target_metadata=db.metadata,
        transactional_ddl=True,
        **current_app.extensions["migrate"].configure_args,
    )
    try:
        # One transaction that takes the lock at its start: of two first starts at once, one waits and finds all done.
        with context.begin_transaction():
            context.run_migrations()
    finally:
        if pragma:
            pragma("PRAGMA foreign_keys=ON")
