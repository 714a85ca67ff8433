"""nbgrader's check of what it wrote about the cells, once for all notebooks that have the same.

nbgrader holds its schema itself to the rules of schemas for each single cell, which takes longer
than all else of recording. After repair, the metadata of all submissions is that of the release.
"""

import json
from collections import OrderedDict
from typing import ClassVar

from nbgrader.preprocessors import CheckCellMetadata

KEPT = 64


class CheckMetadataOnce(CheckCellMetadata):
    """`CheckCellMetadata` that remembers what was in order."""

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
