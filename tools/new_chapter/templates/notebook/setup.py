import numpy as np

from headway.tasks.check import check
