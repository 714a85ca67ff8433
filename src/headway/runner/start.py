"""A session in a new process.

    python -m headway.runner.start FD SCOPE LIBRARIES HIDDEN…

The caller must have sandboxed the process, or trust the code that it will run. FD is the session's
socket; SCOPE is `OWN_NAMESPACE` if this is the first process of a process namespace, else
`SHARED_NAMESPACE`. LIBRARIES are to be imported beforehand, "torch,tqdm".
"""

import ctypes
import os
import socket
import sys

from headway.runner.prepare import (
    GO,
    HELLO,
    OWN_NAMESPACE,
    hide_modules_and_set_path,
    import_libraries,
)
from headway.runner.serve import serve
from headway.runner.shell import make_shell

SET_DUMPABLE = 4  # prctl(2)


def main() -> None:
    """Greet, then serve until the other side has closed."""
    number, scope, libraries, *hidden = sys.argv[1:]
    sock = socket.socket(fileno=int(number))
    sock.set_inheritable(False)
    hide_modules_and_set_path(hidden)
    shell = make_shell()
    import_libraries(filter(None, libraries.split(",")))
    close_streams()  # nobody reads the output from here on
    greet(sock)
    private = scope == OWN_NAMESPACE
    if private:
        become_child_of_init(sock)
    serve(sock, shell, private)


def close_streams() -> None:
    """Replace the standard streams by /dev/null."""
    null = os.open("/dev/null", os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.close(null)


def greet(sock: socket.socket) -> None:
    """Send hello, from which the other end learns our process id, and wait for its go-ahead.

    Raises:
        EOFError: if the other end has closed.
    """
    sock.send(HELLO)
    if sock.recv(1) != GO:
        raise EOFError("nobody is there any more who waits for this program")


def become_child_of_init(sock: socket.socket) -> None:
    """Return in a child. This process waits for orphans, and ends with the child.

    The kernel then kills every other process in the namespace.
    """
    prctl, zero = ctypes.CDLL(None).prctl, ctypes.c_ulong(0)
    # The student's processes run as the same user, and must not trace the first one.
    if prctl(SET_DUMPABLE, zero, zero, zero, zero):
        os._exit(1)
    child = os.fork()
    if not child:
        prctl(SET_DUMPABLE, ctypes.c_ulong(1), zero, zero, zero)
        return
    sock.close()
    while os.wait()[0] != child:
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
