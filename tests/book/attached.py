"""What the build writes beside a page for a figure of its own: data, and weights in halves."""

import base64
import json
import re
from pathlib import Path

import numpy as np
import torch
from torch import Tensor


def attached_to(built_book: Path, page: str, figure: str) -> dict:
    """What the site's file for a page's figure hands over."""
    text = (built_book / "book" / f"{page}.html").read_text(encoding="utf-8")
    name = re.search(rf'data-name="({figure}-\w+)"', text)[1]
    file = built_book / "_static" / "headway" / "attached" / f"{name}.js"
    script = file.read_text(encoding="utf-8").strip()
    return json.loads(script.removeprefix(f'headwayAttached("{name}", ').removesuffix(");"))


def weights_of(packed: dict) -> dict[str, Tensor]:
    """The state dict of a packed model."""
    numbers = np.frombuffer(base64.b64decode(packed["data"]), "<f2")
    state, place = {}, 0
    for name, shape in packed["tensors"]:
        size = int(np.prod(shape))
        state[name] = torch.tensor(numbers[place : place + size].astype(np.float32)).view(shape)
        place += size
    return state
