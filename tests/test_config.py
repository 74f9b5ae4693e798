import pytest

from service.config import Settings, SettingsError, load

GOOD = {
    "DATABASE_URL": "sqlite:///queenline.db",
    "REDIS_URL": "redis://localhost:6379/0",
    "PUBLIC_URL": "https://cards.example.com",
    "SECRET_KEY": "0123456789abcdef" * 2,
    "TWILIO_ACCOUNT_SID": "AC" + "1" * 32,
    "TWILIO_AUTH_TOKEN": "new-token,old-token",
    "TWILIO_NUMBERS": "+12125550100, +12125550109",
}


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    for name, value in GOOD.items():
        monkeypatch.setenv(name, value)


def test_the_environment_is_read():
    settings = load()
    assert settings.twilio_auth_token == ("new-token", "old-token")
    assert settings.twilio_numbers == ("+12125550100", "+12125550109")
    assert settings.opt_out_mode == "default"
    assert settings.allowed_regions == ("US", "CA")


def test_a_child_process_gets_the_same(monkeypatch):
    settings = load(web_threads=7)
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)
    assert load() == settings


@pytest.mark.parametrize("name", [name for name in GOOD if name != "TWILIO_NUMBERS"])
def test_a_missing_one_is_named_with_what_it_is_for(name, monkeypatch):
    monkeypatch.delenv(name)
    with pytest.raises(SettingsError) as caught:
        load()
    said = str(caught.value)
    assert said.startswith(f"{name} is missing: ")
    assert said.endswith(".")
    assert "\n" not in said


def test_each_of_several_has_its_own_sentence(monkeypatch):
    monkeypatch.delenv("SECRET_KEY")
    monkeypatch.setenv("REDIS_URL", "localhost")
    with pytest.raises(SettingsError) as caught:
        load()
    assert [line.split()[0] for line in str(caught.value).splitlines()] == ["REDIS_URL", "SECRET_KEY"]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("DATABASE_URL", "mysql://db/queenline", "names mysql"),
        ("DATABASE_URL", "queenline.db", "try sqlite:///queenline.db"),
        ("DATABASE_URL", "sqlite://", "must name a file"),
        ("DATABASE_URL", "sqlite:///queenline.db?mode=ro", "takes no options"),
        ("DATABASE_URL", "postgresql://u:word@db:port/queenline", "is not a database's address"),
        ("DATABASE_URL", "postgresql://u:word@db:99999/queenline", "1 to 65535"),
        ("DATABASE_URL", "postgresql://u:word@db/queenline?foo=bar", 'invalid connection option "foo"'),
        ("REDIS_URL", "http://localhost", "redis://"),
        ("REDIS_URL", "redis://localhost:port/0", "is not an address"),
        ("REDIS_URL", "redis://localhost:99999/0", "is not an address"),
        ("REDIS_URL", "redis://[::1/0", "is not an address"),
        ("REDIS_URL", "redis://localhost/first", "has 'first' where the number"),
        ("REDIS_URL", "redis://localhost/0?foo=bar", "means nothing"),
        ("REDIS_URL", "redis://localhost/0?socket_timeout=long", "means nothing"),
        ("REDIS_URL", "unix://", "names no socket"),
        ("REDIS_URL", "redis+sentinel://a:26379,b:26379", "names no master"),
        ("REDIS_URL", "redis+sentinel://a:26379,:26379/cards", "has ':26379' where a sentinel's host"),
        ("REDIS_URL", "redis+sentinel://a:b/cards", "has 'a:b' where a sentinel's host"),
        ("REDIS_URL", "redis+sentinel://a/cards/x", "has 'x' behind the master's name"),
        ("REDIS_URL", "redis+sentinel://a/cards?password=x", "has password=, which means nothing"),
        ("DATABASE_POOLER", "session", "must be none or transaction"),
        ("DATABASE_POOLER", "transaction", "is for PostgreSQL"),
        ("PUBLIC_URL", "cards.example.com", "must be a whole address"),
        ("PUBLIC_URL", "http://cards.example.com", "https://"),
        ("PUBLIC_URL", "https://cards.example.com/#rc=3", "has a fragment (#rc=3)"),
        ("PUBLIC_URL", "https://cards.example.com?", "has a query"),
        ("PUBLIC_URL", "https://me:word@cards.example.com", "user name or password"),
        ("PUBLIC_URL", "https://cards.example.com:port", "must be a whole address"),
        ("PUBLIC_URL", "https://[::1", "must be a whole address"),
        ("PUBLIC_URL", "https://cards example.com", "no spaces"),
        ("PUBLIC_URL", "https://cärds.example.com", "xn--"),
        ("PUBLIC_URL", "https://cards.example.com/sms", "leave that out"),
        ("SECRET_KEY", "secret", "too weak"),
        ("SECRET_KEY", "x" * 64, "too weak"),
        ("TWILIO_ACCOUNT_SID", "AC123", "32 hexadecimal digits"),
        ("TWILIO_AUTH_TOKEN", " , ", "is empty"),
        ("TWILIO_AUTH_TOKEN", "good-token,x", "8 characters"),
        ("TWILIO_AUTH_TOKEN", '"good-token"', "quotation marks"),
        ("TWILIO_NUMBERS", "2125550100", "as in +12125550100"),
        ("TWILIO_NUMBERS", "+12125550100;+12125550109", "as in +12125550100"),
        ("TWILIO_MESSAGING_SERVICE_SID", "MG1", "MG and 32"),
        ("TWILIO_API_URL", "http://carrier.example.com", "https://"),
        ("OPT_OUT_MODE", "twilio", "must be default, advanced or self"),
        ("ALLOWED_REGIONS", "US,USA", "'USA'"),
        ("ALLOWED_REGIONS", ",", "nobody could play"),
        ("BIND", "8000", "127.0.0.1:8000"),
        ("BIND", "127.0.0.1:99999", "127.0.0.1:8000"),
        ("WORKER_METRICS", "8001", "127.0.0.1:8001"),
        ("WORKER_METRICS", "127.0.0.1:0", "127.0.0.1:8001"),
        ("CHAT", "maybe", "must be on or off"),
        ("PLAYER_MONTHLY_SEGMENTS", "-1", "0 is no limit"),
        ("SERVICE_MONTHLY_SEGMENTS", "many", "0 is no limit"),
        ("PRICE_PER_SEGMENT", "-0.01", "such as 0.0079"),
        ("PRICE_PER_SEGMENT", "cheap", "such as 0.0079"),
        ("WEB_CONCURRENCY", "many", "processes of `queenline serve`"),
        ("WEB_CONCURRENCY", "0", "processes of `queenline serve`"),
        ("TRUSTED_PROXIES", "-1", "X-Forwarded-For"),
        ("TRUSTED_PROXIES", "10.0.0.1", "X-Forwarded-For"),
        ("FORM_TEXTS_A_DAY", "-1", "typed into a form"),
    ],
)
def test_a_wrong_one_is_refused_in_one_sentence(name, value, said, monkeypatch):
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load()
    assert str(caught.value).startswith(name + " ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_texts_need_a_number_or_a_service(monkeypatch):
    monkeypatch.delenv("TWILIO_NUMBERS")
    with pytest.raises(SettingsError, match="TWILIO_NUMBERS and TWILIO_MESSAGING_SERVICE_SID are both missing"):
        load()
    monkeypatch.setenv("TWILIO_MESSAGING_SERVICE_SID", "MG" + "2" * 32)
    assert load().twilio_numbers == ()


def test_advanced_opt_out_needs_a_messaging_service(monkeypatch):
    monkeypatch.setenv("OPT_OUT_MODE", "advanced")
    with pytest.raises(SettingsError, match="OPT_OUT_MODE=advanced needs TWILIO_MESSAGING_SERVICE_SID"):
        load()
    monkeypatch.setenv("TWILIO_MESSAGING_SERVICE_SID", "MG" + "2" * 32)
    assert load().opt_out_mode == "advanced"


@pytest.mark.parametrize("url", ["postgresql://u:p@db/queenline", "postgres://u:p@db/queenline"])
def test_postgresql_is_spoken_to_through_psycopg_3(url):
    assert load(database_url=url).database_url == "postgresql+psycopg://u:p@db/queenline"


def test_a_slash_at_the_end_and_plain_http_at_home_are_fine():
    assert load(public_url="https://cards.example.com/").public_url == "https://cards.example.com"
    assert load(public_url="http://127.0.0.1:8000").public_url == "http://127.0.0.1:8000"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "postgresql://queenline:hunter@2@db/queenline"),
        ("REDIS_URL", "redis://:hunter2/x@localhost:6379/0"),
        ("REDIS_URL", "redis://:hunter2[@localhost:6379/0"),
    ],
)
def test_a_password_that_is_not_written_as_in_an_address_is_not_repeated(name, value, monkeypatch):
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load()
    assert "hunter" not in str(caught.value)
    assert "2/x" not in str(caught.value)


def test_a_number_that_is_there_twice_is_one(monkeypatch):
    monkeypatch.setenv("TWILIO_NUMBERS", "+12125550100,+12125550109,+12125550100")
    assert load().twilio_numbers == ("+12125550100", "+12125550109")


def test_no_secret_is_shown(monkeypatch):
    shown = repr(load())
    assert "token" not in shown.replace("auth_token", "")
    assert GOOD["SECRET_KEY"] not in shown
    monkeypatch.setenv("SECRET_KEY", "hunter2hunter2")
    with pytest.raises(SettingsError) as caught:
        load()
    assert "hunter2" not in str(caught.value)
