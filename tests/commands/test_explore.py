"""`headway explore`: what it says, what it refuses before it serves, and how it ends."""

import contextlib
import http.client
import json
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

import pytest

from headway.commands import explore, published_model
from headway.commands.serve import make_server
from headway.errors import UserError
from headway.explore.server import Server
from headway.models.hugging_face.tokenizer import read_tokenizer
from tests.commands.sentences import assert_sentence
from tests.models.folders import N, save


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A folder and the model in it."""
    path = tmp_path_factory.mktemp("small-llama")
    return path, save(path)


@pytest.fixture
def opened(headway, monkeypatch):
    """Runs the command up to where it would serve; gives how it ended, and what it would serve."""
    served = []
    monkeypatch.setattr(Server, "serve", lambda server, answers, page: served.append(answers))
    monkeypatch.setattr(explore.webbrowser, "open", served.append)

    def opened(*arguments):
        return headway("explore", *arguments, "--port", 0), served

    return opened


def test_a_folder_is_opened_in_the_type_of_its_files_and_the_page_in_a_browser(saved, opened):
    path, theirs = saved
    result, served = opened(path)
    assert result.code == 0
    assert re.search(r"Explore it at http://127\.0\.0\.1:\d+/ until you press Ctrl-C", result.out)
    count = sum(weight.numel() for weight in theirs.parameters())
    assert f"{path.name}: {count / 1e6:,.1f} million parameters in float32 on " in result.out
    subject = next(one for one in served if not isinstance(one, str)).subject
    assert subject.text == "The capital of France is"
    facts = subject.facts()
    assert (facts["parameters"], facts["context"], facts["chat"]) == (count, N, False)
    assert (facts["longest"], facts["template"]) == (N, False)
    assert facts["position"] == "rotary"
    assert [one for one in served if isinstance(one, str)] == [
        re.search(r"http://[^ ]*", result.out)[0]
    ]


def test_a_type_and_a_text_are_taken_from_the_command_line(saved, opened):
    result, (answers,) = opened(saved[0], "the cat", "--dtype", "bfloat16", "--no-open")
    assert "in bfloat16" in result.out
    assert answers.subject.text == "the cat"
    assert answers.readings  # what the page asks first is there already


def test_with_chat_each_text_is_a_question_in_the_template_of_the_folder(
    saved, opened, tmp_path_factory
):
    path = shutil.copytree(saved[0], tmp_path_factory.mktemp("chat") / "model")
    (path / "chat_template.jinja").write_text(
        "ask {{ messages[0].content }} tell{{ messages[1].content if messages[1] }}<|begin|>",
        "utf-8",
    )
    result, (answers,) = opened(path, "the cat", "--chat", "--no-open")
    subject = answers.subject
    assert result.code == 0
    assert subject.facts()["chat"]
    assert subject.encode("the cat") == plain(path, "ask the cat tell<|begin|>")
    assert subject.ends == {0, 1}  # <|begin|> ends an answer in this template, <|end|> any text
    _, (_, answers) = opened(path, "the cat", "--no-open")
    assert (answers.subject.facts()["chat"], answers.subject.facts()["template"]) == (False, True)
    assert answers.subject.ends == {1}


def plain(path, text):
    return read_tokenizer(path).encode(text, add_special_tokens=False).ids


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "There is no folder nowhere. headway explore opens the folders"),
        (["."], "config.json"),
        (["11", "--chat"], "was trained on no chats"),
        (["11", "--dtype", "float16"], "--dtype and --device are for a model in a folder"),
        (["11", "Return " * 200], "tokens, and this page reads 128 at most"),
        ([None, "--dtype", "int8"], "--dtype must be one of float32"),
        ([None, "--device", "abacus"], "--device abacus is not on this machine"),
        ([None, "cat " * 100], f"this page reads {N} at most"),
    ],
)
def test_what_cannot_be_explored_is_a_sentence(
    saved, opened, tmp_path, monkeypatch, arguments, said
):
    monkeypatch.chdir(tmp_path)
    result, served = opened(*(argument or saved[0] for argument in arguments))
    assert_sentence(result, said)
    assert not served


def test_a_missing_template_is_said_before_weights_are_read(saved, opened, monkeypatch):
    monkeypatch.setattr(published_model, "load", lambda *_: pytest.fail("read"))
    assert_sentence(opened(saved[0], "--chat")[0], "has no chat template")


def test_a_port_that_is_taken_is_said_before_a_model_is_read(headway, tmp_path, monkeypatch):
    monkeypatch.setattr("headway.explore.subject.recorded", lambda: pytest.fail("read"))
    with make_server(tmp_path, 0) as taken:
        result = headway("explore", "11", "--port", taken.server_port)
    assert_sentence(result, f"Port {taken.server_port} of 127.0.0.1 cannot be used")


def test_a_model_larger_than_the_free_memory_is_refused(saved, monkeypatch):
    monkeypatch.setattr("psutil.virtual_memory", lambda: type("M", (), {"available": 9}))
    with pytest.raises(UserError, match=r"needs 0\.0 GB in float32"):
        explore.of_folder(str(saved[0]), None, "cpu")


def test_chapter_11_s_model_answers_until_ctrl_c_also_in_the_middle_of_an_answer():
    command = [sys.executable, "-m", "headway", "explore", "11", "--no-open", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        lines = [run.stdout.readline() for _ in range(2)]
        url = re.search(r"http://[^ ]*/", lines[1])[0]
        asked = {"text": "Return the", "drawn": [], "off": []}
        with posted(url, {"ask": "tokens"} | asked) as response:
            assert json.load(response)["pieces"] == ["<end>", "Return", "␣the"]
        with pytest.raises(urllib.error.HTTPError) as refused:
            posted(url, {"ask": "cache", "count": 99} | asked)
        assert "“count” must be" in json.load(refused.value)["error"]
        slow = {"ask": "cache", "count": 16} | asked | {"text": "Return the " * 40}
        threading.Thread(target=suppressed, args=[url, slow]).start()
        time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        assert (run.wait(60), run.stderr.read()) == (0, "")


def suppressed(url, request):
    """Asks, and does not mind if the server ends before it answers."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        posted(url, request)


def posted(url, request):
    headers = {"Content-Type": "application/json"}
    data = json.dumps(request).encode()
    return urllib.request.urlopen(urllib.request.Request(f"{url}ask", data, headers), timeout=60)
