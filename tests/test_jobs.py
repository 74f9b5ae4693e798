"""The bell, RQ and the jobs together, with a real Valkey; and the sweep without one."""

import signal
from dataclasses import replace

import pytest
from redis import Redis
from rq.registry import FailedJobRegistry
from sqlalchemy import func, insert, select

from service.bell import JOB, JOB_TIMEOUT_SECONDS, SWEEP_JOB, Bell, queue_on
from service.config import load
from service.db import STATEMENT_SECONDS
from service.models import Outbound, table_of
from service.twilio.outbound import TIMEOUTS_SECONDS
from tests.conftest import ANN, BEA
from workers import jobs, process
from workers.claims import LEASE_SECONDS
from workers.listen import Listener, warn_of_eviction
from workers.sweep import sweep

OUTBOUND = table_of(Outbound)


@pytest.fixture
def ringing(services, settings, valkey):
    """Services whose bell is real."""
    settings = load(**settings.model_dump() | {"redis_url": valkey.connection_url})
    return replace(services, settings=settings, bell=Bell(valkey.connection_url))


@pytest.fixture
def write(services, players, clock):
    def write(name, address, body="Your turn."):
        with services.db.begin() as db:
            db.execute(
                insert(OUTBOUND).values(
                    player_id=players[name], recipient=address, body=body, kind="notice", next_attempt_at=clock(),
                    created_at=clock(),
                )
            )  # fmt: skip

    return write


@pytest.fixture
def work(ringing, sender, redis):
    """Answers every bell that has been rung, as the worker's process does."""
    used = process.use(ringing, sender)

    def work():
        worker = Listener([queue_on(redis)], connection=redis, serializer="json", log_job_description=False)
        worker.stopping = used.stopping
        worker.work(burst=True, logging_level="WARNING")

    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield work
    for number, handler in handlers.items():  # RQ takes them and keeps them
        signal.signal(number, handler)
    used.redis.close()


def test_rung_texts_are_sent_by_one_job(ringing, carrier, write, work, redis):
    for _ in range(5):
        write("Ann", ANN)
        ringing.bell.ring()
    write("Bea", BEA)
    ringing.bell.ring()
    assert queue_on(redis).count == 1
    work()
    assert (len(carrier.texts_to(ANN)), len(carrier.texts_to(BEA))) == (5, 1)
    assert queue_on(redis).count == 0
    assert list(redis.scan_iter("rq:job:*")) == []


def test_a_text_that_is_written_during_the_job_rings_again(ringing, carrier, write, work, redis, monkeypatch):
    write("Ann", ANN)
    ringing.bell.ring()
    accept = carrier._accept

    def accept_and_write(form):
        if form["To"] == ANN:
            write("Bea", BEA)
            ringing.bell.ring()
        return accept(form)

    monkeypatch.setattr(carrier, "_accept", accept_and_write)
    work()
    assert (len(carrier.texts_to(ANN)), len(carrier.texts_to(BEA))) == (1, 1)


@pytest.mark.on("sqlite")
@pytest.mark.parametrize(("policy", "warned"), [("noeviction", False), ("allkeys-lru", True)])
def test_a_redis_that_may_lose_jobs_is_told_of(redis, logged, policy, warned):
    redis.config_set("maxmemory-policy", policy)
    try:
        warn_of_eviction(redis)
    finally:
        redis.config_set("maxmemory-policy", "noeviction")
    assert ("redis.evicts" in logged.getvalue()) is warned


@pytest.mark.on("sqlite")
def test_where_that_may_not_be_asked_nothing_is_said(redis, valkey, logged):
    redis.execute_command("ACL", "SETUSER", "guest", "on", "nopass", "~*", "+@all", "-config")
    host, port = redis.connection_pool.connection_kwargs["host"], redis.connection_pool.connection_kwargs["port"]
    with Redis(host, port, username="guest", password="any") as guest:
        warn_of_eviction(guest)
    redis.execute_command("ACL", "DELUSER", "guest")
    assert logged.getvalue() == ""


def test_redis_holds_no_text_and_no_number(ringing, write, redis):
    write("Ann", ANN, "Your hand: QS 4H")
    ringing.bell.ring()
    held = " ".join(f"{key} {redis.dump(key)}" for key in redis.scan_iter())
    for secret in ("QS", ANN, ANN[2:], "hand"):
        assert secret not in held


def test_a_job_that_fails_loses_nothing(ringing, carrier, write, work, redis, monkeypatch):
    write("Ann", ANN)
    ringing.bell.ring()
    with monkeypatch.context() as broken:
        broken.setattr("workers.jobs.drain_outbox", lambda *_, **__: 1 / 0)
        work()
    assert FailedJobRegistry(queue=queue_on(redis)).count == 1
    assert carrier.texts == []
    ringing.bell.ring()
    work()
    assert len(carrier.texts_to(ANN)) == 1


@pytest.mark.parametrize("job", [JOB, SWEEP_JOB])
def test_a_job_that_did_not_get_through_rings_for_the_next(ringing, carrier, write, work, redis, monkeypatch, job):
    write("Ann", ANN)
    lengths = iter([-1.0, 30.0])  # no time at all for the first job

    def next_one(*args, **more):
        monkeypatch.setattr(jobs, "WORK_SECONDS", next(lengths))
        return time_is_up(*args, **more)

    time_is_up = jobs.time_is_up
    monkeypatch.setattr(jobs, "time_is_up", next_one)
    queue_on(redis).enqueue(job, result_ttl=0)
    work()
    assert len(carrier.texts_to(ANN)) == 1
    assert next(lengths, None) is None


def test_a_job_ends_by_itself_before_rq_ends_it_and_its_leases_after_that():
    longest = jobs.WORK_SECONDS + sum(TIMEOUTS_SECONDS) + STATEMENT_SECONDS
    assert longest < JOB_TIMEOUT_SECONDS < LEASE_SECONDS


def test_with_redis_emptied_the_sweep_sends(ringing, sender, carrier, write, work, redis):
    write("Ann", ANN)
    ringing.bell.ring()
    redis.flushall()
    work()
    assert carrier.texts == []
    assert sweep(ringing, sender).sent == 1
    assert len(carrier.texts_to(ANN)) == 1


def test_with_redis_away_the_sweep_sends(services, sender, carrier, write):
    """`services` has settings whose Redis is not there."""
    write("Ann", ANN)
    Bell(services.settings.redis_url).ring()
    sweep(services, sender)
    sweep(services, sender)
    assert len(carrier.texts_to(ANN)) == 1
    with services.db.begin() as db:
        assert db.execute(select(func.count()).where(OUTBOUND.c.status == "sent")).scalar() == 1
