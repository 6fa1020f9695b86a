"""How the migrations reach the app's database; run by `companion serve`, or by hand with `flask db`."""

from alembic import context
from flask import current_app

db = current_app.extensions["migrate"].db

# One transaction that takes the lock at its start: of two first starts at once, one waits and finds all done.
with db.engine.connect().execution_options(is_writing=True) as connection:
    context.configure(
        connection=connection,
        target_metadata=db.metadata,
        transactional_ddl=True,
        **current_app.extensions["migrate"].configure_args,
    )
    with context.begin_transaction():
        context.run_migrations()
