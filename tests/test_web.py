"""Pages, and what machines ask."""

from dataclasses import replace
from unittest.mock import patch

import pytest
from sqlalchemy import insert

from service.app import create_app
from service.config import load
from service.db import Database
from service.models import Outbound, table_of
from tests.conftest import ANN, OURS


@pytest.mark.on("sqlite")
@pytest.mark.parametrize("path", ["/", "/privacy", "/terms"])
def test_pages(client, path):
    response = client.get(path)
    assert response.status_code == 200
    assert response.content_type == "text/html; charset=utf-8"
    assert "STOP" in response.text


@pytest.mark.on("sqlite")
def test_the_home_page_tells_the_number(client):
    assert OURS in client.get("/").text


@pytest.mark.on("sqlite")
def test_a_page_that_is_not_there_says_so_and_repeats_nothing(client):
    response = client.get("/nothing/<b>here")
    assert response.status_code == 404
    assert "<h1>There is no such page</h1>" in response.text
    assert "<b>" not in response.text
    assert response.content_type.startswith("text/html")
    assert client.post("/privacy").status_code == 405


@pytest.mark.on("sqlite")
def test_a_fault_is_not_told(app, client, logged):
    @app.get("/broken")
    def broken():
        raise ValueError("Ann holds QS")

    response = client.get("/broken")
    assert response.status_code == 500
    assert "<h1>Sorry</h1>" in response.text
    assert "QS" not in response.text
    assert '"error": "ValueError"' in logged.getvalue()
    assert "QS" not in logged.getvalue()


def test_healthz_asks_nobody(client, services):
    services.database.close()
    assert client.get("/healthz").text == "ok\n"


def test_readyz_tells_what_is_so(client, services, settings, valkey, game):
    facts = client.get("/readyz")
    assert facts.status_code == 200  # without Redis texts are answered all the same
    assert facts.json == {
        "database": "ok", "schema": "ok", "redis": "away", "due": 0, "oldest_due_seconds": 0.0, "late": False,
        "sending": "ok", "stopped": [], "unknown": 0,
    }  # fmt: skip
    with_redis = load(**settings.model_dump() | {"redis_url": valkey.connection_url})
    client = create_app(replace(services, settings=with_redis), game).test_client()
    assert client.get("/readyz").json["redis"] == "ok"


@pytest.fixture
def due(services, players, clock):
    with services.db.begin() as db:
        for seconds in (0, 120):
            clock.forward(seconds=seconds)
            values = {"player_id": players["Ann"], "recipient": ANN, "body": "Your turn.", "kind": "turn"}
            db.execute(insert(table_of(Outbound)).values(**values, next_attempt_at=clock(), created_at=clock()))


def test_readyz_tells_how_late_texts_are(client, due, clock):
    clock.forward(seconds=5)
    facts = client.get("/readyz")
    assert facts.status_code == 200
    assert (facts.json["due"], facts.json["oldest_due_seconds"], facts.json["late"]) == (2, 125.0, True)


@pytest.mark.on("sqlite")
@pytest.mark.parametrize(
    ("url", "says"),
    [("sqlite:///{}/nowhere/x.db", {"database": "away"}), ("sqlite:///{}/x.db", {"database": "ok"})],
)
def test_it_is_not_ready_without_a_database_of_today(services, game, tmp_path, url, says):
    database = Database(url.format(tmp_path))
    response = create_app(replace(services, database=database), game).test_client().get("/readyz")
    database.close()
    assert response.status_code == 503
    assert response.json | says == response.json
    assert says["database"] == "away" or response.json["schema"].startswith("missing 0001")


@pytest.mark.on("sqlite")
def test_it_is_not_ready_where_it_may_not_write(services, client):
    with patch(
        "service.web.health.os.access", lambda path, _: not str(path).endswith("queenline.db")
    ):  # root may everything
        response = client.get("/readyz")
    assert (response.status_code, response.get_json()["database"]) == (503, "read-only")


@pytest.mark.on("postgresql")
def test_nor_on_a_standby(services, game):
    name = services.db.url.database
    standby = Database(services.db.url.render_as_string(hide_password=False))
    with services.db.begin() as conn:
        conn.exec_driver_sql(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    try:
        response = create_app(replace(services, database=standby), game).test_client().get("/readyz")
    finally:
        standby.close()
        with services.db.begin() as conn:
            conn.exec_driver_sql(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    assert (response.status_code, response.get_json()["database"]) == (503, "read-only")


def test_metrics(client, carrier, due):
    carrier.deliver(ANN, OURS, "draw")
    carrier.deliver("whatsapp:" + ANN, OURS, "draw")
    said = client.get("/metrics").text
    assert 'queenline_inbound_texts_total{outcome="answered"}' in said
    assert 'queenline_inbound_texts_total{outcome="channel"}' in said
    assert "queenline_outbound_due 2.0" in said
    assert "queenline_outbound_oldest_due_seconds 120.0" in said
    assert ANN not in said


@pytest.mark.on("sqlite")
def test_metrics_without_a_database(services, game, tmp_path):
    app = create_app(replace(services, database=Database(f"sqlite:///{tmp_path}/nowhere/x.db")), game)
    assert "queenline_inbound_texts_total" in app.test_client().get("/metrics").text


@pytest.mark.on("sqlite")
def test_a_phone_sees_the_answer(carrier, game):
    game.answer = "Your hand: QS & <4H>"
    delivered = carrier.deliver(ANN, OURS, "hand")
    assert (delivered.status, delivered.texts) == (200, ["Your hand: QS & <4H>"])
    game.answer = None
    assert carrier.deliver(ANN, OURS, "👍").texts == []
