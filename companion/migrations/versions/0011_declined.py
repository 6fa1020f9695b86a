"""Posts that were answered without an entry, so that a copy of one makes none either."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "declined",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("table_id", sa.Integer(), sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.UniqueConstraint("table_id", "key"),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    op.drop_table("declined")
