"""The first schema: tables, who sits there, and their logs."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("code", sa.String(length=6), nullable=False, unique=True),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("host", sa.String(length=64), nullable=False, index=True),
        sa.Column("is_locked", sa.Boolean(), nullable=False),
        sa.Column("opened", sa.String(length=24), nullable=False),
        sa.Column("closed", sa.String(length=24)),
        sa.Column("result", sa.JSON()),
    )
    op.create_table(
        "seatings",
        sa.Column("table_id", sa.Integer(), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("phone", sa.String(length=64), index=True),
    )
    op.create_table(
        "entries",
        sa.Column("table_id", sa.Integer(), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("by", sa.Integer()),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("at", sa.String(length=24), nullable=False),
        sa.UniqueConstraint("table_id", "key"),
    )


def downgrade() -> None:
    for table in ("entries", "seatings", "tables"):
        op.drop_table(table)
