"""The operator: a table can be paused, what was done by hand is kept, and seats know when their game was over."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("game_table", sa.Column("paused_at", TIME, nullable=True))
    op.add_column("game_table", sa.Column("paused_why", sa.String(), nullable=True))
    op.add_column("seat", sa.Column("over_at", TIME, nullable=True))
    op.execute(
        "UPDATE seat SET over_at = (SELECT updated_at FROM game_table WHERE game_table.id = seat.table_id)"
        " WHERE table_id IN (SELECT id FROM game_table WHERE status IN ('over', 'closed'))"
    )
    op.add_column("outbound_event", sa.Column("player_id", ID, nullable=True))
    op.execute(
        "UPDATE outbound_event SET player_id ="
        " (SELECT player_id FROM outbound WHERE outbound.id = outbound_event.outbound_id)"
    )
    op.create_table(
        "admin_act",
        sa.Column("id", ID, nullable=False),
        sa.Column("table_id", ID, nullable=True),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_admin_act"),
    )
    op.create_index("ix_admin_act_table_id", "admin_act", ["table_id"])
