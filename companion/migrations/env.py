"""How the migrations reach the app's database; run by `companion serve`, or by hand with `flask db`."""

from alembic import context
from flask import current_app

from companion.log.database import kind

db = current_app.extensions["migrate"].db


def run(connection):
    context.configure(
        connection=connection,
        target_metadata=db.metadata,
        transactional_ddl=True,
        **current_app.extensions["migrate"].configure_args,
    )
    with context.begin_transaction():
        context.run_migrations()


# Whoever rehearses has a transaction, and perhaps another database.
held = context.config.attributes.get("connection")
if held is not None:
    run(held)
else:
    with kind().migrating(db.engine) as connection:
        run(connection)
