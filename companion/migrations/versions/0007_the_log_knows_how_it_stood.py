"""Entries say how the play stood after them: rules that score otherwise are found out, at unfinished tables, too."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("entries", sa.Column("standing", sa.Text()))


def downgrade() -> None:
    with op.batch_alter_table("entries") as entries:
        entries.drop_column("standing")
