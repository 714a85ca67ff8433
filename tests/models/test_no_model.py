"""Paths that hold no model but look like one: what each is, and what to give in its place."""

import json

import pytest

from headway.errors import UserError
from headway.models.hugging_face.config_file import read_config
from headway.models.hugging_face.model_folder import load_folder
from tests.models.folders import save


def test_an_adapter_is_said_to_be_one_for_its_model(tmp_path):
    (tmp_path / "adapter_model.safetensors").touch()
    (tmp_path / "adapter_config.json").write_text(
        json.dumps({"base_model_name_or_path": "meta-llama/Llama-3.2-1B"}), "utf-8"
    )
    said = r"an adapter \(LoRA\) for meta-llama/Llama-3\.2-1B, .* Merge the two"
    with pytest.raises(UserError, match=said):
        read_config(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"base_model_name_or_path": 3}', "[" * 9999])
def test_an_adapter_for_a_model_that_it_does_not_name_is_one_too(tmp_path, content):
    (tmp_path / "adapter_config.json").write_text(content, "utf-8")
    with pytest.raises(UserError, match=r"an adapter \(LoRA\) for another model"):
        read_config(tmp_path)


def test_of_the_root_of_a_cache_the_folder_within_is_named(tmp_path):
    version = tmp_path / "models--a--b" / "snapshots" / "0123abcd"
    version.mkdir(parents=True)
    save(version)
    with pytest.raises(UserError, match=f"all versions of a model.* one of them: {version}$"):
        read_config(tmp_path / "models--a--b")
    load_folder(version)


def test_of_one_file_of_a_model_its_folder_is_named(tmp_path):
    save(tmp_path)
    with pytest.raises(UserError, match=f"one file of a model, and {tmp_path} is where the others"):
        read_config(tmp_path / "model.safetensors")


def test_any_other_folder_is_told_what_a_model_has(tmp_path):
    with pytest.raises(UserError, match=r"has no config\.json\. A model's folder holds"):
        read_config(tmp_path)
