"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.DateTime(timezone=True)
WAITING = sa.text("status IN ('pending', 'retry', 'sending')")


def upgrade() -> None:
    op.create_table(
        "player",
        sa.Column("id", ID, nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=True),
        sa.Column("zone", sa.String(), nullable=True),
        sa.Column("zone_source", sa.String(), nullable=True),
        sa.Column("sender", sa.String(), nullable=True),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("last_inbound_at", TIME, nullable=True),
        sa.Column("greeted_at", TIME, nullable=True),
        sa.Column("unclear_at", TIME, nullable=True),
        sa.Column("unclear_count", sa.Integer(), nullable=False),
        sa.Column("opted_out_at", TIME, nullable=True),
        sa.Column("pending", sa.JSON(), nullable=True),
        sa.Column("prefs", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_player"),
        sa.UniqueConstraint("channel", "address", name="uq_player_channel_address"),
    )
    op.create_table(
        "game_table",
        sa.Column("id", ID, nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("options", sa.String(), nullable=False),
        sa.Column("seat_count", sa.Integer(), nullable=False),
        sa.Column("host_id", ID, nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("start", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("news", sa.Text(), nullable=False),
        sa.Column("news_from", sa.Integer(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("updated_at", TIME, nullable=False),
        sa.Column("turn_since", TIME, nullable=True),
        sa.Column("rematch_id", ID, nullable=True),
        sa.ForeignKeyConstraint(["host_id"], ["player.id"], name="fk_game_table_host_id"),
        sa.ForeignKeyConstraint(["rematch_id"], ["game_table.id"], name="fk_game_table_rematch_id"),
        sa.PrimaryKeyConstraint("id", name="pk_game_table"),
        sa.UniqueConstraint("code", name="uq_game_table_code"),
    )
    op.create_table(
        "inbound",
        sa.Column("id", ID, nullable=False),
        sa.Column("message_sid", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("table_id", ID, nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("segments", sa.Integer(), nullable=False),
        sa.Column("received_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_inbound_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_inbound"),
        sa.UniqueConstraint("message_sid", name="uq_inbound_message_sid"),
    )
    op.create_index("ix_inbound_player_id_received_at", "inbound", ["player_id", "received_at"])
    op.create_table(
        "outbound",
        sa.Column("id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("table_id", ID, nullable=True),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("sender", sa.String(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("turn_version", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("next_attempt_at", TIME, nullable=False),
        sa.Column("lease_until", TIME, nullable=True),
        sa.Column("sid", sa.String(), nullable=True),
        sa.Column("error_code", sa.String(), nullable=True),
        sa.Column("segments", sa.Integer(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("sent_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_outbound_player_id"),
        sa.PrimaryKeyConstraint("id", name="pk_outbound"),
        sa.UniqueConstraint("sid", name="uq_outbound_sid"),
    )
    op.create_index("ix_outbound_player_id_created_at", "outbound", ["player_id", "created_at"])
    op.create_index("ix_outbound_status_next_attempt_at", "outbound", ["status", "next_attempt_at"])
    op.create_index(
        "ix_outbound_waiting", "outbound", ["player_id", "id"], sqlite_where=WAITING, postgresql_where=WAITING
    )
    op.create_table(
        "move",
        sa.Column("id", ID, nullable=False),
        sa.Column("table_id", ID, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("inbound_id", ID, nullable=True),
        sa.Column("bot", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name="fk_move_table_id"),
        sa.PrimaryKeyConstraint("id", name="pk_move"),
        sa.UniqueConstraint("table_id", "n", name="uq_move_table_id_n"),
    )
    op.create_table(
        "nudge",
        sa.Column("id", ID, nullable=False),
        sa.Column("table_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("turn_version", sa.Integer(), nullable=False),
        sa.Column("due_at", TIME, nullable=False),
        sa.Column("sent", sa.Integer(), nullable=False),
        sa.Column("last_reason", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_nudge_player_id"),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name="fk_nudge_table_id"),
        sa.PrimaryKeyConstraint("id", name="pk_nudge"),
        sa.UniqueConstraint("table_id", "seat", name="uq_nudge_table_id_seat"),
    )
    op.create_index("ix_nudge_due_at", "nudge", ["due_at"])
    op.create_table(
        "outbound_event",
        sa.Column("id", ID, nullable=False),
        sa.Column("outbound_id", ID, nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("error_code", sa.String(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["outbound_id"], ["outbound.id"], name="fk_outbound_event_outbound_id"),
        sa.PrimaryKeyConstraint("id", name="pk_outbound_event"),
        sa.UniqueConstraint(
            "outbound_id", "status", "error_code", name="uq_outbound_event_outbound_id_status_error_code"
        ),
    )
    op.create_table(
        "seat",
        sa.Column("id", ID, nullable=False),
        sa.Column("table_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("bot", sa.Boolean(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.Column("left_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_seat_player_id"),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name="fk_seat_table_id"),
        sa.PrimaryKeyConstraint("id", name="pk_seat"),
        sa.UniqueConstraint("table_id", "number", name="uq_seat_table_id_number"),
    )
    op.create_index("ix_seat_player_id", "seat", ["player_id"])
