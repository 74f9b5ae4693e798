"""What machines ask: /healthz (this process runs), /readyz (it can work), /metrics (Prometheus)."""

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, jsonify
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from redis.exceptions import RedisError
from sqlalchemy import func, select, text
from sqlalchemy.exc import SQLAlchemyError

from service.bell import ANSWER_SECONDS, connect
from service.db import reading
from service.migrate import UnknownSchema, missing
from service.models import Outbound, table_of
from service.sending import sending
from service.services import Services

# Due for longer than this: the workers are away, or cannot keep up.
LATE_SECONDS = 60


def blueprint(services: Services) -> Blueprint:
    """Whether it runs, whether it can work, and the figures for Prometheus."""
    health = Blueprint("health", __name__)
    redis = connect(services.settings.redis_url, ANSWER_SECONDS)

    @health.get("/healthz")
    def healthz() -> Response:
        return Response("ok\n", mimetype="text/plain")

    @health.get("/readyz")
    def readyz() -> tuple[Response, int]:
        """503 only for what this process cannot work without. Without Redis, with late workers, and while the carrier takes
        no texts from us, players are answered all the same: that is told, and is a matter for an alert.
        """
        facts: dict[str, Any] = {"database": "ok", "redis": "ok", "schema": "ok"}
        try:
            redis.ping()
        except (RedisError, OSError):
            facts["redis"] = "away"
        try:
            behind = missing(services.db)
            if behind:
                facts["schema"] = f"missing {' '.join(behind)}"
            else:
                facts |= outbox(services)
            if not may_write(services):
                facts["database"] = "read-only"
        except UnknownSchema:
            facts["schema"] = "newer"  # during an upgrade the old code works on: migrations only add
        except SQLAlchemyError:
            facts["database"] = "away"
        ready = facts["database"] == "ok" and facts["schema"] in ("ok", "newer")
        return jsonify(facts), 200 if ready else 503

    @health.get("/metrics")
    def metrics() -> Response:
        registry: CollectorRegistry
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:  # several processes: their figures together
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        else:
            registry = REGISTRY
        own = CollectorRegistry()
        own.register(OutboxCollector(services))
        return Response(generate_latest(registry) + generate_latest(own), content_type=CONTENT_TYPE_LATEST)

    return health


def may_write(services: Services) -> bool:
    """Whether texts can be kept: no standby of PostgreSQL, and a file of SQLite that is ours to write to, with its folder."""
    if services.settings.on_sqlite:
        file = Path(services.db.url.database or "")
        return os.access(file, os.W_OK) and os.access(file.absolute().parent, os.W_OK)
    with reading(services.db) as db:
        return bool(db.execute(text("SHOW transaction_read_only")).scalar_one() == "off")


def outbox(services: Services) -> dict[str, Any]:
    """How many texts wait, and for how long the oldest that is due has waited."""
    t = table_of(Outbound)
    now = services.clock()
    waiting = t.c.status.in_(("pending", "retry"))
    with reading(services.db) as db:
        count, oldest = db.execute(
            select(func.count(), func.min(t.c.next_attempt_at)).where(waiting, t.c.next_attempt_at <= now)
        ).one()
        stopped = sending(db, now)
    seconds = round((now - oldest).total_seconds(), 1) if isinstance(oldest, datetime) else 0.0
    return {"due": count, "oldest_due_seconds": seconds, "late": seconds > LATE_SECONDS} | stopped


class OutboxCollector:
    """Read from the database when it is asked for; nothing when the database is away."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def collect(self) -> Iterable[GaugeMetricFamily]:
        try:
            facts = outbox(self._services)
        except SQLAlchemyError:
            return
        yield GaugeMetricFamily("queenline_outbound_due", "Texts that are due and not yet sent", facts["due"])
        yield GaugeMetricFamily(
            "queenline_outbound_oldest_due_seconds", "How long the oldest of them is due", facts["oldest_due_seconds"]
        )
        yield GaugeMetricFamily(
            "queenline_outbound_unknown", "Texts of which nobody knows whether they were sent", facts["unknown"]
        )
        yield GaugeMetricFamily(
            "queenline_sending_stopped",
            "Whether the carrier takes no texts from us, or from one of our numbers",
            int(facts["sending"] == "stopped"),
        )
