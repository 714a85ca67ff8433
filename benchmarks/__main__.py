"""Runs the benchmarks, each in a process of its own.

python benchmarks             all of them
python benchmarks NAME ...    some of them
"""

import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
HELPERS = {"__main__", "measure", "one_run", "peers", "processor"}
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"), "2")


def main(asked: list[str]) -> int:
    """Run what was asked for; the exit code, 1 if a benchmark failed, 2 for an unknown name."""
    names = sorted({file.stem for file in FOLDER.glob("*.py")} - HELPERS)
    for name in asked:
        if name not in names:
            print(
                f"There is no benchmark {name!r}. There are: {', '.join(names)}.", file=sys.stderr
            )
            return 2
    failed = [name for name in asked or names if not succeeds(name)]
    if failed:
        print(f"These benchmarks failed: {', '.join(failed)}.", file=sys.stderr)
    return 1 if failed else 0


def succeeds(name: str) -> bool:
    """Run one benchmark; whether it came to its end."""
    print(f"{name}:", flush=True)
    command = [sys.executable, FOLDER / f"{name}.py"]
    return subprocess.run(command, env=os.environ | THREADS, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
