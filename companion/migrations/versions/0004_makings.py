"""Posts that have made a table or a group, so that one that comes again makes no second."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "makings",
        sa.Column("key", sa.String(length=64), primary_key=True),
        sa.Column("asked", sa.String(length=64), nullable=False),
        sa.Column("table_id", sa.Integer(), sa.ForeignKey("tables.id", ondelete="CASCADE"), index=True),
        sa.Column("group_id", sa.Integer(), sa.ForeignKey("groups.id", ondelete="CASCADE"), index=True),
    )


def downgrade() -> None:
    op.drop_table("makings")
