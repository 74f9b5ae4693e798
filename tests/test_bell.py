import threading

import pytest

from service.bell import JOB, RINGING, Bell, answer, queue_on


class Stopwatch:
    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def test_rings_close_together_are_one_job(valkey, redis):
    bells = [Bell(valkey.connection_url) for _ in range(3)]
    for bell in bells * 5:
        bell.ring()
    assert queue_on(redis).count == 1


def test_a_ring_after_the_answer_is_a_new_job(valkey, redis):
    bell = Bell(valkey.connection_url)
    bell.ring()
    answer(redis)
    bell.ring()
    assert queue_on(redis).count == 2


def test_eight_at_once_are_one_job(valkey, redis):
    bell = Bell(valkey.connection_url)
    threads = [threading.Thread(target=bell.ring) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert queue_on(redis).count == 1


def test_a_job_carries_nothing_and_is_not_pickled(valkey, redis):
    Bell(valkey.connection_url).ring()
    (job,) = queue_on(redis).jobs
    assert job.func_name == JOB
    assert (list(job.args), job.kwargs) == ([], {})
    assert (job.result_ttl, job.failure_ttl, job.ttl) == (0, 3600, 600)


def test_a_lost_job_does_not_silence_the_bell_for_ever(valkey, redis):
    Bell(valkey.connection_url).ring()
    assert 0 < redis.ttl(RINGING) <= 15


def test_a_redis_that_is_away_costs_one_try_and_then_nothing(monkeypatch):
    watch = Stopwatch()
    bell = Bell("redis://127.0.0.1:1/0", pause=1, longest_pause=4, monotonic=watch)
    tries = []
    failed = bell._failed

    def note(why):
        tries.append(watch.seconds)
        failed(why)

    monkeypatch.setattr(bell, "_failed", note)
    for _ in range(3000):  # 30 seconds of a hundred texts a second
        bell.ring()
        watch.seconds += 0.01
    assert len(tries) == 9
    assert tries[:4] == pytest.approx([100, 101, 103, 107], abs=0.02)


def test_it_rings_again_when_redis_is_back(valkey, redis):
    watch = Stopwatch()
    bell = Bell("redis://127.0.0.1:1/0", monotonic=watch)
    bell.ring()
    good = Bell(valkey.connection_url)
    bell._redis, bell._queue = good._redis, good._queue
    bell.ring()
    assert queue_on(redis).count == 0
    watch.seconds += 1.1
    bell.ring()
    assert queue_on(redis).count == 1


def test_a_redis_that_does_not_answer_is_not_waited_for():
    import socket
    import time

    with socket.create_server(("127.0.0.1", 0)) as deaf:
        bell = Bell(f"redis://127.0.0.1:{deaf.getsockname()[1]}/0")
        started = time.monotonic()
        bell.ring()
        bell.ring()
        assert time.monotonic() - started < 0.3
