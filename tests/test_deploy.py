"""The check of deploy/ finds what is wrong there: each test spoils a copy of one file."""

import shutil

import pytest
import yaml

from tools import deploy


@pytest.fixture
def copy(tmp_path):
    shutil.copytree(deploy.DEPLOY, tmp_path / "deploy")
    return tmp_path / "deploy"


def spoil(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    return file


def test_nothing_is_wrong_before_it_is_spoiled():
    assert list(deploy.compose(deploy.DEPLOY / "compose.yaml")) == []
    assert list(deploy.kubernetes(deploy.DEPLOY / "kubernetes")) == []


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("stop_grace_period: 90s", "stop_grace: 90s", "stop_grace"),
        ("BIND: 0.0.0.0:8000", "BINDS: 0.0.0.0:8000", "BINDS, which is no setting"),
        ("      web:\n        condition", "      webs:\n        condition", "waits for webs"),
    ],
)
def test_the_compose_file(copy, old, new, says):
    assert says in "\n".join(deploy.compose(spoil(copy / "compose.yaml", old, new)))


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("web.yaml", "replicas: 2", "replicas: two", "Deployment"),
        ("web.yaml", "readinessProbe:", "readynessProbe:", "readynessProbe"),
        ("config.yaml", "OPT_OUT_MODE", "OPT_OUT", "OPT_OUT is no setting"),
        ("kustomization.yaml", "worker.yaml", "workers.yaml", "workers.yaml is not there"),
        ("worker.yaml", "      labels: {app.kubernetes.io/name: queenline, app.kubernetes.io/component: worker}\n      annotations",
         "      labels: {app.kubernetes.io/name: queenline}\n      annotations", "selector does not fit"),
    ],
)  # fmt: skip
def test_the_manifests(copy, file, old, new, says):
    spoil(copy / "kubernetes" / file, old, new)
    assert says in "\n".join(deploy.kubernetes(copy / "kubernetes"))


@pytest.mark.on("sqlite")
def test_the_ingress_leads_to_every_page_and_to_nothing_of_the_inside(app):
    ingress = yaml.safe_load((deploy.DEPLOY / "kubernetes" / "ingress.yaml").read_text())
    paths = [path["path"] for rule in ingress["spec"]["rules"] for path in rule["http"]["paths"]]
    ours = {"/" + str(rule).split("/")[1] for rule in app.url_map.iter_rules()}
    assert set(paths) == ours - {"/healthz", "/readyz", "/metrics"}


def test_the_pods_show_their_figures_where_they_are_asked_for(copy):
    settings = yaml.safe_load((copy / "kubernetes" / "config.yaml").read_text())["data"]
    for name, setting in (("web", "BIND"), ("worker", "WORKER_METRICS")):
        pod = next(yaml.safe_load_all((copy / "kubernetes" / f"{name}.yaml").read_text()))["spec"]["template"]
        port = int(settings[setting].rpartition(":")[2])
        assert pod["metadata"]["annotations"]["prometheus.io/port"] == str(port)
        assert [one["containerPort"] for one in pod["spec"]["containers"][0]["ports"]] == [port]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_the_units(copy):
    assert list(deploy.units(copy)) == []
    spoil(copy / "queenline-worker.service", "KillMode=mixed", "KillMode=gently")
    assert "queenline-worker.service" in "\n".join(deploy.units(copy))


def test_the_metrics(copy):
    assert list(deploy.metrics(copy / "prometheus")) == []
    spoil(copy / "prometheus" / "alerts.yaml", "queenline_outbound_oldest_due_seconds", "queenline_oldest_seconds")
    assert list(deploy.metrics(copy / "prometheus")) == [
        "alerts.yaml: queenline_oldest_seconds is no metric of this service"
    ]


def test_the_tables_that_are_distributed(copy):
    assert list(deploy.citus(copy / "citus.sql")) == []
    spoil(copy / "citus.sql", "create_distributed_table('move'", "create_distributed_table('moves'")
    assert list(deploy.citus(copy / "citus.sql")) == [
        "citus.sql: move is neither distributed nor replicated",
        "citus.sql: there is no table moves",
    ]


def test_what_the_image_is_made_of(copy):
    assert list(deploy.dockerfile(copy / "Dockerfile")) == []
    spoil(copy / "Dockerfile", "COPY engine engine", "COPY engines engines")
    assert "engines is not there" in "\n".join(deploy.dockerfile(copy / "Dockerfile"))
