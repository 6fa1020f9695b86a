"""A table that stands still, one that others took on, and seats whose people had to go."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("tables", sa.Column("former_host", sa.String(length=64)))
    op.add_column("tables", sa.Column("halt", sa.String(length=12), nullable=False, server_default=""))
    op.add_column("seatings", sa.Column("has_left", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("seatings", sa.Column("hand", sa.Integer()))


def downgrade() -> None:
    with op.batch_alter_table("tables", table_kwargs={"sqlite_autoincrement": True}) as tables:
        tables.drop_column("former_host")
        tables.drop_column("halt")
    with op.batch_alter_table("seatings") as seatings:
        seatings.drop_column("has_left")
        seatings.drop_column("hand")
