"""Slow play: the pace of a table, seats lent to bots, and what a reminder and a text have to know."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)

COLUMNS = {
    "game_table": (
        lambda: sa.Column("pace", sa.Integer(), nullable=True),
        lambda: sa.Column("weekdays", sa.Boolean(), nullable=True),
        lambda: sa.Column("late_rule", sa.String(), nullable=True),
    ),
    "seat": (
        lambda: sa.Column("bot_hands", sa.Integer(), nullable=True),
        lambda: sa.Column("bot_round", sa.Integer(), nullable=True),
        lambda: sa.Column("plan", sa.String(), nullable=True),
        lambda: sa.Column("invite", sa.String(), nullable=True),
    ),
    "outbound": (
        lambda: sa.Column("seat", sa.Integer(), nullable=True),
        lambda: sa.Column("told_upto", sa.Integer(), nullable=True),
    ),
    "nudge": (
        lambda: sa.Column("since", TIME, nullable=True),
        lambda: sa.Column("nudge_at", TIME, nullable=True),
        lambda: sa.Column("deadline_at", TIME, nullable=True),
        lambda: sa.Column("grace_at", TIME, nullable=True),
        lambda: sa.Column("late", sa.Boolean(), nullable=True),
        lambda: sa.Column("asked_at", TIME, nullable=True),
    ),
}


def upgrade() -> None:
    for table, columns in COLUMNS.items():
        for column in columns:
            op.add_column(table, column())
    op.create_index("ix_seat_invite", "seat", ["invite"])
    op.create_index("ix_nudge_player_id", "nudge", ["player_id"])
