"""Tests of torch code run on one thread: their arrays are small, and workers share the cores."""

import torch

torch.set_num_threads(1)
