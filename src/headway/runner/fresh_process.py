"""A session in a new process: `python -m headway.runner.fresh_process FD SCOPE HIDDEN…`.

The caller must have sandboxed the process, or trust the code that it will run. FD is the session's
socket; SCOPE is `OWN_NAMESPACE` if the session has its own process namespace, else
`SHARED_NAMESPACE`.
"""

import socket
import sys

from headway.runner.isolate import OWN_NAMESPACE, close_streams, greet
from headway.runner.prepare import hide_modules_and_set_path
from headway.runner.serve import serve
from headway.runner.shell import make_shell


def main() -> None:
    """Greet, then serve until the other side has closed."""
    number, scope, *hidden = sys.argv[1:]
    sock = socket.socket(fileno=int(number))
    sock.set_inheritable(False)
    hide_modules_and_set_path(hidden)
    shell = make_shell()
    close_streams()  # nobody reads the output from here on
    greet(sock)
    serve(sock, shell, private=scope == OWN_NAMESPACE)


if __name__ == "__main__":
    main()
