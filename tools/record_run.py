"""Run a page with one of its long trainings, and record what it leaves.

See `headway.training.runs`.
"""

import sys

from headway.training.runs import RUN
from tools.record_trials import run_page

if __name__ == "__main__":
    run_page(sys.argv[1], {RUN: sys.argv[2]})
