"""Indices with an order: the newest tables of a phone are found without a look at the others."""

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_index("ix_tables_host_opened", "tables", ["host", "opened", "id"])
    op.create_index("ix_seatings_phone_table_id", "seatings", ["phone", "table_id"])
    # The new ones begin with the same columns.
    op.drop_index("ix_tables_host", "tables")
    op.drop_index("ix_seatings_phone", "seatings")


def downgrade() -> None:
    op.create_index("ix_tables_host", "tables", ["host"])
    op.create_index("ix_seatings_phone", "seatings", ["phone"])
    op.drop_index("ix_tables_host_opened", "tables")
    op.drop_index("ix_seatings_phone_table_id", "seatings")
