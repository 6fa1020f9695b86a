"""Scores of thousands of millions, as pinball has them: PostgreSQL keeps none in an INTEGER."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    with op.batch_alter_table("seatings") as seatings:
        seatings.alter_column("score", existing_type=sa.Integer(), type_=sa.BigInteger())


def downgrade() -> None:
    with op.batch_alter_table("seatings") as seatings:
        seatings.alter_column("score", existing_type=sa.BigInteger(), type_=sa.Integer())
