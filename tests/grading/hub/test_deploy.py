"""The image and the cluster's values: made of what is there, and apart from one another."""

import re
import shlex
import subprocess
from types import SimpleNamespace

import pytest
import yaml
from traitlets.config import Config

from headway.extras import requirements
from headway.grading.hub.classroom import Account, make_exchange, write_settings
from headway.grading.hub.settings import CLASSROOM, COURSE, EXCHANGE, SETTINGS

# What the chart's values.schema.yaml knows, of the parts that are used here.
CHART = {
    "hub": {"config", "extraConfig", "extraVolumes", "extraVolumeMounts", "networkPolicy"},
    "hub.networkPolicy": {"ingress"},
    "singleuser": {
        *("allowPrivilegeEscalation", "cloudMetadata", "cmd", "cpu", "defaultUrl", "image"),
        *("memory", "networkPolicy", "startTimeout", "storage"),
    },
    "singleuser.storage": {"capacity", "extraVolumes", "extraVolumeMounts", "homeMountPath"},
    "singleuser.image": {"name", "tag"},
    "singleuser.cpu": {"guarantee", "limit"},
    "singleuser.memory": {"guarantee", "limit"},
    "singleuser.networkPolicy": {"egress", "enabled"},
    "singleuser.cloudMetadata": {"blockWithIptables"},
}


@pytest.fixture(scope="module")
def containerfile(root) -> str:
    """The Containerfile, with its long lines joined and without its comments."""
    text = (root / "deploy" / "Containerfile").read_text("utf-8")
    return re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))


@pytest.fixture(scope="module")
def values(root) -> dict:
    """The values for Zero to JupyterHub."""
    folder = root / "deploy" / "zero-to-jupyterhub"
    return yaml.safe_load((folder / "values.yaml").read_text("utf-8"))


def test_what_the_image_installs_and_copies_is_there(containerfile, root):
    installed = re.search(r"--no-install-recommends([a-z0-9 -]+)", containerfile)[1].split()
    assert {"python3-venv", "bubblewrap"} <= set(installed)
    extras = re.search(r'-e "\.\[(.*?)\]"', containerfile)[1].split(",")
    assert set(extras) <= {extra for _, extra in requirements()}
    commands = re.findall(r"pip install.*?(?=&&|;|\n|$)", containerfile)
    assert len(commands) == 3
    assert all("-c constraints.txt" in command or "==" in command for command in commands)
    lines = (root / ".containerignore").read_text("utf-8").splitlines()
    let_in = {line[1:] for line in lines if line.startswith("!")}
    for line in re.findall(r"^COPY (.*)$", containerfile, re.MULTILINE):
        for source in shlex.split(line)[:-1]:
            assert (root / source).exists()
            assert {source, source.split("/")[0]} & let_in
    for script in ("configurable-http-proxy", "zero-to-jupyterhub/headway-server"):
        path = root / "deploy" / script
        assert path.stat().st_mode & 0o111 == 0o111
        subprocess.run(["sh", "-n", path], check=True)


def test_only_a_hub_has_solutions_and_only_root_reads_them_there(containerfile):
    course, single_user, hub = re.split(r"^FROM ", containerfile, flags=re.MULTILINE)[1:]
    assert "solutions" not in course + single_user
    assert "chmod -R go= solutions" in hub
    assert re.findall(r"^USER .*", single_user, re.MULTILINE) == ["USER 1000"]


def test_the_values_name_settings_of_the_chart_and_let_nobody_in_yet(values):
    assert set(values) == {"hub", "singleuser"}
    for place, known in CHART.items():
        found = values
        for name in place.split("."):
            found = found.get(name, {})
        assert set(found) <= known, place
    config = values["hub"]["config"]
    assert config["JupyterHub"]["authenticator_class"] == "null"
    assert set(config) == {"JupyterHub", "Authenticator"}


@pytest.fixture
def hub(values, tmp_path):
    """What the values make the hub do, with a folder of ours as the volume."""
    config = Config()
    names = {"c": config}
    exec(values["hub"]["extraConfig"]["headway"], names)
    names["CLASSROOM"] = tmp_path

    def start(name: str) -> SimpleNamespace:
        spawner = SimpleNamespace(
            user=SimpleNamespace(name=name), environment={"KEPT": "1"}, uid=1000, gid=100
        )
        config.KubeSpawner.pre_spawn_hook(spawner)
        return spawner

    return start


@pytest.fixture
def teacher(hub, tmp_path, monkeypatch):
    """The teacher, who came in first and made the exchange, as far as this account can be them."""
    person = hub("teacher")
    make_exchange(tmp_path / "exchange", Account("teacher", person.uid, person.uid))
    course = tmp_path / "exchange" / "headway"
    real, theirs = type(course).stat, SimpleNamespace(st_uid=person.uid)
    monkeypatch.setattr(
        type(course), "stat", lambda path, **how: theirs if path == course else real(path, **how)
    )
    return person


def test_each_person_of_a_cluster_is_an_account_of_their_own_for_good(hub, teacher, tmp_path):
    ada, emmy = hub("ada"), hub("emmy")
    assert len({teacher.uid, ada.uid, emmy.uid}) == 3
    assert min(teacher.uid, ada.uid, emmy.uid) >= 10_000
    assert hub("ada").uid == ada.uid == ada.gid
    lines = (tmp_path / "accounts" / "passwd").read_text("utf-8").splitlines()
    assert f"ada:x:{ada.uid}:{ada.uid}::/home/jovyan:/bin/bash" in lines
    assert len(lines) == 3


def test_nobody_comes_before_the_teacher_whose_the_exchange_is(hub, tmp_path):
    with pytest.raises(RuntimeError, match="teacher has to come in first"):
        hub("ada")
    (tmp_path / "exchange" / "headway").mkdir()  # of somebody who is no teacher
    with pytest.raises(RuntimeError, match="teacher has to come in first"):
        hub("ada")


@pytest.mark.parametrize("name", ["", "ada:x:0:0", "a\nroot", "../ada"])
def test_a_name_that_would_make_another_account_is_refused(hub, name):
    with pytest.raises(ValueError, match="cannot be the name of an account"):
        hub(name)


def test_settings_and_mounts_of_a_cluster_are_where_the_image_has_them(
    hub, teacher, values, tmp_path
):
    made = [str(CLASSROOM / path[len(str(tmp_path)) + 1 :]) for path in write_settings(tmp_path)]
    for person in (teacher, hub("ada")):
        folder = person.environment["JUPYTER_CONFIG_PATH"]
        assert f"{folder}/nbgrader_config.py" in made
        assert folder.startswith(str(CLASSROOM / SETTINGS))
        assert person.environment["KEPT"] == "1"
    # The formgrader refuses any other path to the folder that nbgrader's settings name.
    assert teacher.notebook_dir == str(CLASSROOM / COURSE)
    mounts = {mount["mountPath"] for mount in values["singleuser"]["storage"]["extraVolumeMounts"]}
    assert mounts == {str(CLASSROOM / EXCHANGE), "/var/lib/extrausers"}
