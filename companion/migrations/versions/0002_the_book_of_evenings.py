"""The book of evenings: where it was played, how everyone ended, and groups that keep a book together."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "groups",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("key", sa.String(length=20), nullable=False, unique=True),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("made", sa.String(length=24), nullable=False),
    )
    op.create_table(
        "members",
        sa.Column("group_id", sa.Integer(), sa.ForeignKey("groups.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("phone", sa.String(length=64), primary_key=True, index=True),
    )
    with op.batch_alter_table("tables", table_kwargs={"sqlite_autoincrement": True}) as tables:
        tables.add_column(sa.Column("location", sa.String(length=200), nullable=False, server_default=""))
        tables.add_column(sa.Column("title", sa.String(length=200), nullable=False, server_default=""))
        tables.add_column(sa.Column("group_id", sa.Integer()))
        tables.create_foreign_key("fk_tables_group_id", "groups", ["group_id"], ["id"], ondelete="SET NULL")
        tables.create_index("ix_tables_group_id", ["group_id"])
    with op.batch_alter_table("seatings") as seatings:
        seatings.add_column(sa.Column("rank", sa.Integer()))
        seatings.add_column(sa.Column("score", sa.Integer()))
        seatings.add_column(sa.Column("figures", sa.JSON()))
        seatings.create_index("ix_seatings_name", ["name"])
    _fill_places()


def _fill_places() -> None:
    """Give the seats of finished tables their places; their figures are counted when the companion starts."""
    connection = op.get_bind()
    place = sa.text("UPDATE seatings SET rank = :rank, score = :score WHERE table_id = :table AND seat = :seat")
    for table, result in connection.execute(sa.text("SELECT id, result FROM tables WHERE closed IS NOT NULL")).all():
        standing = (json.loads(result) if isinstance(result, str) else result)["standing"]
        for line in standing:
            values = {"rank": line["rank"], "score": line["score"], "table": table, "seat": line["seat"]}
            connection.execute(place, values)


def downgrade() -> None:
    with op.batch_alter_table("seatings") as seatings:
        seatings.drop_index("ix_seatings_name")
        for column in ("rank", "score", "figures"):
            seatings.drop_column(column)
    with op.batch_alter_table("tables") as tables:
        tables.drop_index("ix_tables_group_id")
        tables.drop_constraint("fk_tables_group_id", type_="foreignkey")
        for column in ("location", "title", "group_id"):
            tables.drop_column(column)
    op.drop_table("members")
    op.drop_table("groups")
