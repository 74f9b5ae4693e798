"""The web: personal addresses, forms that wait for a text, and what each round was worth."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("seat", sa.Column("link_no", sa.Integer(), nullable=True))
    op.add_column("game_table", sa.Column("watch_no", sa.Integer(), nullable=True))
    op.create_table(
        "web_request",
        sa.Column("id", ID, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("table_id", ID, nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("consent", sa.Text(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("done_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_web_request"),
        sa.UniqueConstraint("channel", "address", "code", name="uq_web_request_channel_address_code"),
    )
    op.create_table(
        "round_result",
        sa.Column("id", ID, nullable=False),
        sa.Column("table_id", ID, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("points", sa.Text(), nullable=False),
        sa.Column("totals", sa.Text(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("upto", sa.Integer(), nullable=False),
        sa.Column("following", sa.Text(), nullable=True),
        sa.Column("at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_round_result"),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name="fk_round_result_table_id"),
        sa.UniqueConstraint("table_id", "n", name="uq_round_result_table_id_n"),
    )
