"""What `torch.compile` needs on this machine, and whether it is there.

On a GPU it brings what it needs. On a CPU it writes C++ that calls into Python, and so needs a
compiler and Python's header files; without them it fails in the middle of the first step, with a
message of several pages.
"""

import os
import shutil
import sys
import sysconfig
from pathlib import Path

import torch

COMPILER = "clang++" if sys.platform == "darwin" else "g++"  # what torch calls if CXX is not set


def missing_for_compiling(device: torch.device) -> str:
    """What `torch.compile` lacks here, in words; "" if nothing."""
    if device.type != "cpu":
        return ""
    compiler = os.environ.get("CXX", COMPILER)
    if shutil.which(compiler) is None:
        return (
            f"a C++ compiler: there is no {compiler}. Install one (on Debian: apt install g++), or "
            "name yours in the environment variable CXX"
        )
    headers = Path(sysconfig.get_path("include"))
    if not (headers / "Python.h").is_file():
        return f"Python.h: it is not in {headers}. On Debian: apt install python3-dev"
    return ""
