"""Runs cells in the shell, in a process of its own: cells as JSON come in, outputs go out."""

import json
import os
import sys

from headway.runner.shell import make_shell, run, use


def main() -> None:
    """Read cells from standard input; write [outputs, whether there was an error] of each."""
    cells = json.load(sys.stdin)
    result = os.fdopen(os.dup(1), "w")
    shell = make_shell()
    outputs = []
    use(shell, outputs.append)
    done = []
    for source in cells:
        outputs.clear()
        error = run(shell, source)
        done.append([list(outputs), error])
    json.dump(done, result)
    result.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
