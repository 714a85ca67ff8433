"""A session of its own, started anew: `python -m headway.runner.fresh_process FD SCOPE HIDDEN…`.

Whoever starts it has shut it in already, or trusts what it will run. FD is the session's socket;
SCOPE is `OWN_NAMESPACE` where the session has a process namespace of its own, else
`SHARED_NAMESPACE`.
"""

import socket
import sys

from headway.runner.isolate import OWN_NAMESPACE, close_streams, greet
from headway.runner.prepare import hide_modules_and_set_path
from headway.runner.serve import serve
from headway.runner.shell import make_shell


def main() -> None:
    """Greet, then serve until the other side is gone."""
    number, scope, *hidden = sys.argv[1:]
    sock = socket.socket(fileno=int(number))
    sock.set_inheritable(False)
    hide_modules_and_set_path(hidden)
    shell = make_shell()
    close_streams()  # nothing that is written from now on is for anybody
    greet(sock)
    serve(sock, shell, private=scope == OWN_NAMESPACE)


if __name__ == "__main__":
    main()
