"""The server: for this machine and its own page only, whatever reaches it."""

import http.client
import json
import re
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from headway.explore.answers import Answers
from headway.explore.server import LARGEST, Server
from headway.explore.subject import recorded

ABOUT = {"text": "Return the number of", "drawn": [], "off": []}
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def served():
    """A server of chapter 11's model, with what it reported."""
    reported = []
    server = Server(("127.0.0.1", 0), reported.append)
    server.reported = reported
    page = "<!DOCTYPE html><script nonce={}></script>".format
    with server:
        answers = Answers(recorded())
        threading.Thread(target=server.serve, args=[answers, page], daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def send(served):
    """Sends a request and gives the answer, with its content read."""

    def send(method="POST", path="/ask", body=b"", headers=JSON):
        connection = http.client.HTTPConnection(*served.server_address, timeout=60)
        connection.request(method, path, body, dict(headers))
        response = connection.getresponse()
        response.content = response.read().decode()
        connection.close()
        return response

    return send


@pytest.fixture
def ask(send):
    def ask(**request):
        response = send(body=json.dumps(request).encode())
        return response.status, json.loads(response.content)

    return ask


def still_answers(ask):
    status, answer = ask(ask="tokens", **ABOUT)
    return status == 200 and answer["pieces"][1] == "Return"


def test_the_page_comes_with_a_nonce_of_its_own_and_a_policy_that_names_it(send):
    pages = [send("GET", "/", headers={}) for _ in range(2)]
    nonces = [re.search("nonce=(.*)>", page.content.split("</")[0])[1] for page in pages]
    assert nonces[0] != nonces[1]
    for page, nonce in zip(pages, nonces, strict=True):
        assert page.status == 200
        assert page.headers["Content-Type"] == "text/html; charset=utf-8"
        policy = page.headers["Content-Security-Policy"]
        assert policy.startswith(f"default-src 'none'; script-src 'nonce-{nonce}'; ")
        assert "frame-ancestors 'none'" in policy
        assert page.headers["X-Content-Type-Options"] == "nosniff"
        assert page.headers["Cache-Control"] == "no-store"


def test_a_question_is_answered_and_a_bad_one_refused_with_a_sentence(ask, send):
    assert still_answers(ask)
    assert ask(ask="to", **ABOUT, at=9, to=0) == (
        400,
        {"error": "“at” must be a whole number from 0 to 4, got 9."},
    )
    for body in (b"", b"{", b"\xff\xfe\xfd", b"[" * 200_000, b"1" * 9999, b"NaN", b"null", b"[]"):
        response = send(body=body)
        assert response.status == 400
        assert json.loads(response.content)["error"].endswith(".")


def test_thirty_questions_at_once_are_all_answered_right(served, ask):
    texts = ["Return the", "Raise ValueError if", "The"]
    off = [[], ["0"], ["1.h2"], ["2.attention"], ["3.feed-forward"]]
    requests = [
        {"ask": kind, "text": text, "drawn": [], "off": parts, "from": 0, "to": 2}
        for kind in ("heads", "lens")
        for text in texts
        for parts in off
    ]
    alone = Answers(served.answers.subject)
    expected = [(200, alone.answer(request)) for request in requests]
    start = threading.Barrier(len(requests))

    def together(request):
        start.wait()
        return ask(**request)

    with ThreadPoolExecutor(len(requests)) as pool:
        assert list(pool.map(together, requests)) == expected


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:{port}"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:{port}.evil.example"},
        {"Host": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "null"},
    ],
    ids=str,
)
@pytest.mark.parametrize(("method", "path"), [("GET", "/"), ("POST", "/ask")])
def test_who_asks_under_another_name_or_from_another_page_is_refused(
    send, served, method, path, headers
):
    named = {key: value.format(port=served.server_port) for key, value in headers.items()}
    body = json.dumps({"ask": "tokens", **ABOUT}).encode()
    response = send(method, path, body if method == "POST" else None, JSON | named)
    assert response.status == 403
    assert "Return" not in response.content


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_its_own_page_may_ask_under_both_names(send, served, name):
    host = f"{name}:{served.server_port}"
    body = json.dumps({"ask": "tokens", **ABOUT}).encode()
    response = send(body=body, headers=JSON | {"Host": host, "Origin": f"http://{host}"})
    assert response.status == 200


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"headers": {}}, 415),
        ({"headers": {"Content-Type": "text/plain"}}, 415),
        ({"headers": {"Content-Type": "application/x-www-form-urlencoded"}}, 415),
        ({"headers": JSON | {"Content-Length": str(LARGEST + 1)}}, 413),
        ({"headers": JSON | {"Content-Length": "9" * 5000}}, 413),
        ({"headers": JSON | {"Content-Length": "-1"}}, 411),
        ({"headers": JSON | {"Content-Length": "many"}}, 411),
        ({"path": "/"}, 404),
        ({"path": "/ask/../x"}, 404),
        ({"method": "GET"}, 404),
        ({"method": "GET", "path": "/etc/passwd"}, 404),
        ({"method": "PUT"}, 501),
        ({"method": "OPTIONS"}, 501),
    ],
    ids=str,
)
def test_what_is_no_question_of_the_page_is_refused(send, given, status):
    response = send(**given)
    assert response.status == status
    assert json.loads(response.content)["error"]
    assert not [name for name in response.headers if name.startswith("Access-Control")]


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\x16\x03\x01\x02\x00\x01",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /ask HTTP/1.1\r\nContent-Length: 900\r\n\r\nhalf",
        b"POST /ask HTTP/1.1\r\n" + b"X: y\r\n" * 500 + b"\r\n",
        b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n\r\n",
    ],
    ids=lambda sent: repr(sent[:20]),
)
def test_a_broken_request_ends_nothing(served, ask, sent):
    answer = b""
    with (
        socket.create_connection(served.server_address, timeout=60) as connection,
        suppress(OSError),  # the server may hang up before it has read everything
    ):
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        answer = connection.makefile("rb").read()
    assert b"Traceback" not in answer
    assert still_answers(ask)


def test_who_leaves_while_others_are_served_is_not_answered(served, ask, monkeypatch):
    asked, answer = [], served.answers.answer
    monkeypatch.setattr(
        served.answers, "answer", lambda request: asked.append(request) or answer(request)
    )
    body = json.dumps({"ask": "heads", **ABOUT}).encode()
    head = f"POST /ask HTTP/1.1\r\nHost: 127.0.0.1:{served.server_port}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with served.lock:  # another answer is being computed
        for _ in range(3):
            with socket.create_connection(served.server_address) as connection:
                connection.sendall(head.encode() + body)
        time.sleep(0.3)
    assert still_answers(ask)
    assert [request["ask"] for request in asked] == ["tokens"]


def test_an_error_of_the_program_is_a_sentence_on_the_page_and_a_line_in_the_terminal(
    served, ask, monkeypatch
):
    monkeypatch.setattr(served.answers, "answer", lambda request: 1 / 0)
    status, answer = ask(ask="tokens", **ABOUT)
    assert (status, "division" in str(answer)) == (500, False)
    assert served.reported[-1] == "ZeroDivisionError: division by zero"
    monkeypatch.setattr(served, "page", lambda nonce: 1 / 0)
    with socket.create_connection(served.server_address) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % served.server_port)
        assert b"Traceback" not in connection.makefile("rb").read()
    monkeypatch.undo()
    assert still_answers(ask)


def test_it_listens_to_this_machine_only(served):
    assert served.server_address[0] == "127.0.0.1"
    with pytest.raises(OSError):  # noqa: PT011 - refused, or no such address
        socket.create_connection(("127.0.0.2", served.server_port), timeout=2)


class Slow:
    """Answers once it may."""

    def __init__(self):
        self.begun, self.may = threading.Event(), threading.Event()

    def answer(self, request):
        self.begun.set()
        self.may.wait(60)
        return {}


def test_its_end_waits_for_the_answer_that_is_computed_and_for_no_idle_connection():
    server, slow = Server(("127.0.0.1", 0), print), Slow()
    serving = threading.Thread(target=server.serve, args=[slow, str])
    serving.start()
    with socket.create_connection(server.server_address, timeout=60):  # says nothing
        connection = http.client.HTTPConnection(*server.server_address, timeout=60)
        connection.request("POST", "/ask", "{}", JSON)
        assert slow.begun.wait(60)
        server.shutdown()
        closing = threading.Thread(target=server.server_close)
        closing.start()
        closing.join(0.2)
        assert closing.is_alive()
        slow.may.set()
        assert json.load(connection.getresponse()) == {}
        closing.join(30)  # less than the minute that a client has to say what it wants
        assert not closing.is_alive()
    serving.join()
