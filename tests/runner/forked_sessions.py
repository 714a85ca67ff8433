"""A fork server without a sandbox: a session for each socket that comes over standard input."""

import os
import socket

from headway.runner.serve import serve
from headway.runner.shell import make_shell


def main() -> None:
    """Fork a session for each socket, until there are no more."""
    import torch

    torch.set_num_threads(1)
    shell = make_shell()
    control = socket.socket(fileno=os.dup(0))
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            return
        sock = socket.socket(fileno=descriptors[0])
        if os.fork() == 0:
            control.close()
            try:
                serve(sock, shell)
            finally:
                os._exit(0)
        sock.close()


if __name__ == "__main__":
    main()
