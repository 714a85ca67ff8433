"""Frames over a socket: whole, in time, and of the length that was asked for."""

import socket
import struct
import threading
import tracemalloc

import numpy as np
import pytest

from headway.runner.transport import (
    MAX_FRAME,
    FrameTooLargeError,
    WireError,
    pack,
    receive,
    send,
)


@pytest.fixture
def pair():
    """Two ends of a stream."""
    left, right = socket.socketpair()
    with left, right:
        yield left, right


@pytest.mark.parametrize(
    "head", [b"\xff" * 12, struct.pack("<QI", 1 << 40, 8), struct.pack("<QI", 3, 0)]
)
def test_a_lying_length_is_refused_before_anything_is_read(pair, head):
    pair[0].sendall(head)
    with pytest.raises(WireError):
        receive(pair[1], 60)


def test_an_announced_length_allocates_nothing_by_itself(pair):
    pair[0].sendall(struct.pack("<QI", MAX_FRAME, 4) + b"null")
    tracemalloc.start()
    with pytest.raises(TimeoutError):
        receive(pair[1], 0.05)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 << 20


def test_frames_come_one_by_one_and_pass_while_the_other_side_reads(pair):
    values = ["a", [1], np.arange(1_000_000)]
    thread = threading.Thread(target=lambda: [send(pair[0], value, 60) for value in values])
    thread.start()
    assert receive(pair[1]) == "a"
    assert receive(pair[1], 60) == [1]
    assert (receive(pair[1], 60) == values[-1]).all()
    thread.join()


def test_a_peer_that_trickles_does_not_extend_the_time(monkeypatch):
    class Trickle:
        """In the place of a socket: gives a byte at a time, and each takes a second."""

        def __init__(self):
            self.left, self.now = [*pack("x" * 1000)], 0

        def recv(self, *_):
            self.now += 1
            return bytes([self.left.pop(0)])

    peer = Trickle()
    monkeypatch.setattr("headway.runner.transport._clock", lambda: peer.now)
    with pytest.raises(TimeoutError):
        receive(peer, 60)
    assert peer.now == 60


def test_nobody_is_held_longer_than_asked_by_a_peer_that_is_silent_or_does_not_read(pair):
    with pytest.raises(TimeoutError):
        send(pair[0], bytes(16 << 20), 0.1)
    with pytest.raises(TimeoutError):
        receive(pair[0], 0.01)
    assert pair[0].gettimeout() is None, "others share it, and it blocks"


@pytest.mark.parametrize("sent", [b"", pack("whole")[:-2], b"abc"])
def test_a_closed_peer_is_the_end_of_the_stream(pair, sent):
    pair[0].sendall(sent)
    pair[0].close()
    with pytest.raises(EOFError):
        receive(pair[1], 60)


def test_sending_to_a_closed_peer_is_the_end_of_the_stream(pair):
    pair[1].close()
    with pytest.raises(EOFError):
        send(pair[0], bytes(1 << 20))


def test_a_frame_that_is_too_large_is_passed_over_and_the_next_one_comes(pair):
    left, right = pair
    sending = threading.Thread(target=lambda: [send(left, np.zeros(200_000)), send(left, "next")])
    sending.start()
    with pytest.raises(FrameTooLargeError, match="1,600,") as large:
        receive(right, 60, most=100_000)
    assert large.value.size > 1_600_000
    assert receive(right, 60, most=100_000) == "next"
    sending.join()


def test_whoever_counts_the_time_that_is_left_is_asked_again(pair):
    left, right = pair
    times = iter([0.01, 0.01, 0.01, 0.0])
    with pytest.raises(TimeoutError):
        receive(right, lambda: next(times))
    assert next(times, None) is None
    send(left, "there")
    assert receive(right, lambda: 60.0) == "there"
