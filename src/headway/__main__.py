"""The program `headway`, also as `python -m headway`: it listens to signals from its first moment.

To load the command line takes most of the time of a short command.
"""

import sys

from headway.interrupts import end, stop_if_asked, watch


def main() -> None:
    """Run the command line and exit; who stops it while it is still loaded gets a word, too."""
    watch()
    try:
        from headway.cli import run

        stop_if_asked()
        code = run(sys.argv[1:])
    except BaseException:  # what is interrupted while it is loaded may raise anything
        code = end()
        if not code:
            raise
        sys.stderr.write("Stopped.\n")
    sys.exit(code)


if __name__ == "__main__":
    main()
