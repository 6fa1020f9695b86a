"""What a table's QR code brings beside its code; tables of before get one, too."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

LETTERS, LENGTH = "0123456789ABCDEFGHJKMNPQRSTVWXYZ", 13


def upgrade() -> None:
    op.add_column("tables", sa.Column("invitation", sa.String(length=LENGTH), nullable=False, server_default=""))
    tables = sa.table("tables", sa.column("id", sa.Integer), sa.column("invitation", sa.String))
    connection = op.get_bind()
    for number in connection.execute(sa.select(tables.c.id)).scalars().all():
        fresh = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        connection.execute(tables.update().where(tables.c.id == number).values(invitation=fresh))


def downgrade() -> None:
    with op.batch_alter_table("tables", table_kwargs={"sqlite_autoincrement": True}) as tables:
        tables.drop_column("invitation")
