"""The channel: house rules kept by a player, what is limited, what has stopped sending, texts looked up."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("player", sa.Column("silenced_until", TIME, nullable=True))
    op.add_column("player", sa.Column("forgotten_at", TIME, nullable=True))
    op.add_column("player", sa.Column("unreachable_at", TIME, nullable=True))
    for name, kind in (("asked_at", TIME), ("looked_at", TIME), ("looks", sa.Integer())):
        op.add_column("outbound", sa.Column(name, kind, nullable=True))
    op.create_table(
        "preset",
        sa.Column("id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("options", sa.String(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_preset"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_preset_player_id"),
        sa.UniqueConstraint("player_id", "name", name="uq_preset_player_id_name"),
    )
    op.create_table(
        "tally",
        sa.Column("id", ID, nullable=False),
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tally"),
        sa.UniqueConstraint("day", "kind", "scope", name="uq_tally_day_kind_scope"),
    )
    op.create_table(
        "opt_out",
        sa.Column("id", ID, nullable=False),
        sa.Column("mark", sa.String(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_opt_out"),
        sa.UniqueConstraint("mark", name="uq_opt_out_mark"),
    )
    op.create_table(
        "breaker",
        sa.Column("id", ID, nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("since", TIME, nullable=False),
        sa.Column("until", TIME, nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_breaker"),
        sa.UniqueConstraint("scope", name="uq_breaker_scope"),
    )
