"""The fork server: everything imported once, then a forked, shut-in session for each submission.

`python -m headway.runner.fork_server FD LIBRARIES HIDDEN…`, with FD a sequenced-packet socket and
LIBRARIES what is imported, "torch,headway.nn.attention". It says `READY` when it is; then each
message is a `Confinement`, with the socket of the new session passed along. A message back is the
text of what went wrong. It never runs a student's code.
"""

import socket
import sys

from headway.runner.isolate import READY, Confinement, close_streams, fork_isolated
from headway.runner.prepare import freeze, hide_modules_and_set_path, import_libraries
from headway.runner.serve import serve
from headway.runner.shell import make_shell

MAX_MESSAGE = 1 << 16


def main() -> None:
    """Get ready, then make sessions until the other side is gone."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    libraries, *hidden = sys.argv[2:]
    hide_modules_and_set_path(hidden)
    shell = make_shell()  # first, since what draws looks for it when it is imported
    import_libraries(filter(None, libraries.split(",")))
    freeze()
    close_streams()  # nothing that is written from now on is for anybody
    control.send(READY)

    def tell(trouble: str) -> None:
        control.send(trouble.encode(errors="replace")[:MAX_MESSAGE])

    def program(sock: socket.socket) -> None:
        control.detach()  # closed already, and its number may soon be another's
        serve(sock, shell, private=True)

    while True:
        message, descriptors, _, _ = socket.recv_fds(control, MAX_MESSAGE, 1)
        if not message:
            return
        with socket.socket(fileno=descriptors[0]) as sock:
            try:
                fork_isolated(Confinement.unpack(message), sock, tell, program)
            except OSError as error:  # no memory or process number for a fork
                tell(str(error))


if __name__ == "__main__":
    main()
