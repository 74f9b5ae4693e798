"""Whether the files in deploy/ hold together, as far as that can be told without a container engine: python -m tools.deploy

- compose.yaml against the Compose specification's schema, the manifests against Kubernetes' own (strict: an unknown key is
  a fault), and every variable that they set against the settings;
- the systemd units by `systemd-analyze verify`, where there is one;
- every metric that the alerts and the dashboard name, against those that the service has;
- citus.sql against the tables of the schema: each is distributed or replicated, and no other is named;
- the Dockerfile's COPY lines against what the project has and .dockerignore lets through.

What no part of this can tell: whether the image builds, whether the proxy's file is right, whether a cluster takes it.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import kubernetes_validate
import yaml

from service.config import Settings
from service.models import Base

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
SETTINGS = {name.upper() for name in Settings.model_fields}
# What a container or a server of others' making is told.
OTHERS = {"POSTGRES_USER", "POSTGRES_PASSWORD", "POSTGRES_DB", "CARDS_HOST"}
CODE = ("service", "workers", "commands")
METRIC = re.compile(r"queenline_\w+")


def main() -> None:
    faults = [*compose(), *kubernetes(), *units(), *metrics(), *citus(), *dockerfile()]
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(bool(faults))


def compose(file: Path = DEPLOY / "compose.yaml") -> Iterator[str]:
    """Faults of the Compose file."""
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(file)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        yield f"{file.name}: {done.stdout.strip()}"
        return
    services = yaml.safe_load(file.read_text())["services"]
    for name, service in services.items():
        for variable in service.get("environment", {}):
            if variable not in SETTINGS | OTHERS:
                yield f"{file.name}: {name} sets {variable}, which is no setting"
        for other in service.get("depends_on", {}):
            if other not in services:
                yield f"{file.name}: {name} waits for {other}, which is not there"


def kubernetes(folder: Path = DEPLOY / "kubernetes") -> Iterator[str]:
    """Faults of the manifests."""
    listed: set[str] = set()
    for file in sorted(folder.glob("*.yaml")):
        for manifest in yaml.safe_load_all(file.read_text()):
            if manifest["kind"] == "Kustomization":
                listed = set(manifest["resources"])
                continue
            try:
                kubernetes_validate.validate(manifest, kubernetes_validate.latest_version(), strict=True)
            except (kubernetes_validate.ValidationError, kubernetes_validate.InvalidSchemaError) as error:
                yield f"{file.name}: {manifest['kind']}: {error}"
            if manifest["kind"] in ("ConfigMap", "Secret"):
                for variable in manifest.get("data", manifest.get("stringData", {})):
                    if variable not in SETTINGS:
                        yield f"{file.name}: {variable} is no setting"
            yield from selected(file.name, manifest)
    for name in sorted(listed):
        if not (folder / name).exists():
            yield f"kustomization.yaml: {name} is not there"


def selected(name: str, manifest: dict[str, Any]) -> Iterator[str]:
    """A deployment that does not select its own pods is refused by the cluster, which no schema says."""
    spec = manifest.get("spec", {})
    wanted = spec.get("selector", {}).get("matchLabels", {}) if manifest["kind"] == "Deployment" else {}
    labels = spec.get("template", {}).get("metadata", {}).get("labels", {}) if wanted else {}
    if any(labels.get(key) != value for key, value in wanted.items()):
        yield f"{name}: the deployment's selector does not fit its pods' labels"


def units(folder: Path = DEPLOY) -> Iterator[str]:
    """Faults that systemd finds in the units, but for paths that only the real machine has."""
    program = shutil.which("systemd-analyze")
    if program is None:
        return
    with tempfile.TemporaryDirectory() as copies:
        files = []
        for file in sorted(folder.glob("*.service")) + sorted(folder.glob("*.timer")):
            text = re.sub(r"(?m)^ExecStart=.*$", "ExecStart=/bin/true", file.read_text())
            copy = Path(copies) / file.name
            copy.write_text(re.sub(r"(?m)^(WorkingDirectory|EnvironmentFile)=.*\n", "", text))
            files.append(str(copy))
        done = subprocess.run([program, "verify", *files], capture_output=True, text=True, check=False)
    for line in done.stderr.splitlines():  # it exits with 0 after most of what it finds
        if copies in line or "queenline" in line:
            yield line.replace(f"{copies}/", "deploy/")


def metrics(folder: Path = DEPLOY / "prometheus") -> Iterator[str]:
    """Metrics in the alerts and the dashboard that nothing counts."""
    source = "".join(file.read_text() for part in CODE for file in sorted((ROOT / part).rglob("*.py")))
    known = set(METRIC.findall(source))
    for file in sorted([*folder.glob("*.yaml"), *folder.glob("*.json")]):
        text = file.read_text()
        _ = json.loads(text) if file.suffix == ".json" else yaml.safe_load(text)
        for name in sorted(set(METRIC.findall(text))):
            base = re.sub(r"_(total|bucket|count|sum|created)$", "", name)
            if name not in known and base not in known:
                yield f"{file.name}: {name} is no metric of this service"


def citus(file: Path = DEPLOY / "citus.sql") -> Iterator[str]:
    """Tables that are neither distributed nor replicated, and names that are no tables."""
    named = re.findall(r"create_(?:distributed|reference)_table\('(\w+)'", file.read_text())
    tables = {table.name for table in Base.metadata.sorted_tables}
    for name in sorted(tables - set(named)):
        yield f"{file.name}: {name} is neither distributed nor replicated"
    for name in sorted(set(named) - tables):
        yield f"{file.name}: there is no table {name}"
    for name in sorted({name for name in named if named.count(name) > 1}):
        yield f"{file.name}: {name} is there twice"


def dockerfile(file: Path = DEPLOY / "Dockerfile") -> Iterator[str]:
    """What is copied into the image and is not there, or is kept from the builder."""
    passed = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    for line in re.findall(r"(?m)^COPY (?!--from)(.+)$", file.read_text()):
        for name in line.split()[:-1]:
            if not (ROOT / name).exists():
                yield f"Dockerfile: {name} is not there"
            if not any(fnmatch(name, pattern) for pattern in passed):
                yield f"Dockerfile: .dockerignore keeps {name} from the builder"


if __name__ == "__main__":
    main()
