"""nbgrader's check of cell metadata, but only once for notebooks with the same metadata.

nbgrader validates its schema again for each cell, which takes longer than all other recording.
After repair, all submissions have the release's metadata.
"""

import json
from collections import OrderedDict
from typing import ClassVar

from nbgrader.preprocessors import CheckCellMetadata

KEPT = 64


class CheckMetadataOnce(CheckCellMetadata):
    """`CheckCellMetadata` with a cache of valid metadata."""

    _in_order: ClassVar[OrderedDict[str, None]] = OrderedDict()

    def preprocess(self, nb, resources):
        metadata = [
            (cell.cell_type, cell.metadata["nbgrader"])
            for cell in nb.cells
            if "nbgrader" in cell.metadata
        ]
        key = json.dumps(metadata, sort_keys=True)
        if key not in self._in_order:
            nb, resources = super().preprocess(nb, resources)
            self._in_order[key] = None
            while len(self._in_order) > KEPT:
                self._in_order.popitem(last=False)
        return nb, resources
