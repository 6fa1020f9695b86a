"""Who was told that a game has ended."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_index("ix_tables_closed", "tables", ["closed"])
    op.create_table(
        "tellings",
        sa.Column("table_id", sa.Integer(), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("receiver", sa.String(length=64), primary_key=True),
        sa.Column("ended", sa.String(length=24), primary_key=True),
        sa.Column("seen", sa.String(length=24), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("due", sa.String(length=24), index=True),
    )


def downgrade() -> None:
    op.drop_table("tellings")
    op.drop_index("ix_tables_closed", "tables")
