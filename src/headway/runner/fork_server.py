"""The fork server: imports everything once, then forks a sandboxed session for each submission.

`python -m headway.runner.fork_server FD LIBRARIES HIDDEN…`: FD is a sequenced-packet
socket, and LIBRARIES lists the modules to import, "torch,headway.nn.attention". The server sends
`READY` after the imports. Each message that it then receives is a `Confinement` with the socket of
a new session. It sends a message only to report an error. It never runs a student's code itself.
"""

import socket
import sys

from headway.runner.isolate import READY, Confinement, close_streams, fork_isolated
from headway.runner.prepare import freeze, hide_modules_and_set_path, import_libraries
from headway.runner.serve import serve
from headway.runner.shell import make_shell

MAX_MESSAGE = 1 << 16


def main() -> None:
    """Import the libraries, then start sessions until the other side has closed."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    libraries, *hidden = sys.argv[2:]
    hide_modules_and_set_path(hidden)
    shell = make_shell()  # before the imports: matplotlib looks for a shell when it is imported
    import_libraries(filter(None, libraries.split(",")))
    freeze()
    close_streams()  # nobody reads the output from here on
    control.send(READY)

    def tell(trouble: str) -> None:
        control.send(trouble.encode(errors="replace")[:MAX_MESSAGE])

    def program(sock: socket.socket) -> None:
        control.detach()  # its descriptor is closed and may be reused: never close it again
        serve(sock, shell, private=True)

    while True:
        message, descriptors, _, _ = socket.recv_fds(control, MAX_MESSAGE, 1)
        if not message:
            return
        with socket.socket(fileno=descriptors[0]) as sock:
            try:
                fork_isolated(Confinement.unpack(message), sock, tell, program)
            except OSError as error:  # the fork failed for lack of memory or process ids
                tell(str(error))


if __name__ == "__main__":
    main()
