"""Accept a cell's outputs from an untrusted process: text and pictures, of bounded size.

The messages are plain data that claim to be nbformat outputs. Only text and PNG or JPEG pictures
are kept, since a browser does not execute these. Other outputs are dropped; what is too long is
cut, with a note.
"""

import json
from typing import Any

from nbformat import NotebookNode, from_dict

from headway.grading.execution.pictures import PICTURES, drawn_again
from headway.grading.execution.plain import text_in, uncolored
from headway.grading.notebooks.nodes import new_output

MAX_TEXT = 100_000  # characters
MAX_MEDIA = 2_000_000  # bytes
MAX_OUTPUTS = 1_000  # of a cell
MAX_NUMBER = 3_000  # of a notebook
MAX_TOTAL_PIXELS = 200_000_000  # of a notebook
# Bytes of all outputs of a notebook, well below the size at which a notebook is refused.
MAX_TOTAL = 10_000_000
MAX_NAME = 200  # characters of a display's name
MAX_COUNT = 1_000_000  # of the execution count that an output claims
STREAMS = ("stdout", "stderr")
TOO_LARGE = "… left out: the notebook's outputs are too large."
DRAWINGS = ("image/svg+xml", "application/pdf")
NO_DRAWING = "… left out: a drawing (SVG or PDF) that is no figure of Matplotlib's. Show it as PNG."
NO_PICTURE = "… left out: {} that is none, or too large."


class OutputCollector:
    """Collects the outputs of a notebook's cells, up to the limits of this module."""

    def __init__(self):
        self._left, self._pixels = MAX_TOTAL, MAX_TOTAL_PIXELS
        self._number = 0
        self._displays: dict[str, NotebookNode] = {}  # by display id

    def add(self, outputs: list[NotebookNode], message: Any) -> None:
        """Add the output in a message to a cell's outputs."""
        before = len(outputs)
        if self._number < MAX_NUMBER or _kind(message) == "clear_output":
            self._add(outputs, message)
        elif self._number == MAX_NUMBER:
            words = f"… cut here: more than {MAX_NUMBER:,} outputs in all."
            outputs.append(new_output("stream", name="stdout", text=words))
        self._number += len(outputs) - before

    def _add(self, outputs: list[NotebookNode], message: Any) -> None:
        if _kind(message) is None:
            return
        match message:
            case {"output_type": "clear_output"}:
                outputs.clear()
            case _ if len(outputs) > MAX_OUTPUTS:
                pass
            case _ if len(outputs) == MAX_OUTPUTS:
                words = f"… cut here: more than {MAX_OUTPUTS:,} outputs."
                outputs.append(new_output("stream", name="stdout", text=words))
            case {"output_type": "stream", "name": str(name), "text": str(text)} if name in STREAMS:
                self._add_text(outputs, name, text)
            case {
                "output_type": "display_data" | "execute_result" as kind,
                "data": dict(data),
            }:
                count = message.get("execution_count")
                sound = type(count) is int and 0 <= count <= MAX_COUNT
                more = {"execution_count": count if sound else None}
                if kept := self._data(data):
                    more = more if kind == "execute_result" else {}
                    outputs.append(new_output(kind, data=kept, **more))
                    if (name := _display_name(message)) and len(self._displays) < MAX_NUMBER:
                        self._displays[name] = outputs[-1]
            case {"output_type": "update_display_data", "data": dict(data)}:
                shown = self._displays.get(_display_name(message))
                if shown is not None and (kept := self._data(data)):
                    shown.data = from_dict(kept)
            case {
                "output_type": "error",
                "ename": str(name),
                "evalue": str(value),
                "traceback": list(lines),
            }:
                lines = [self._cut(line) for line in lines[:200] if isinstance(line, str)]
                outputs.append(
                    new_output(
                        "error", ename=self._cut(name), evalue=self._cut(value), traceback=lines
                    )
                )

    def _add_text(self, outputs: list[NotebookNode], name: str, text: str) -> None:
        last = outputs[-1] if outputs else None
        if last is not None and last.output_type == "stream" and last.name == name:
            room = MAX_TEXT - len(last.text)
            if room > 0:  # else the text is cut already
                last.text += self._cut(text, room)
        else:
            outputs.append(new_output("stream", name=name, text=self._cut(text)))

    def _data(self, data: dict) -> dict:
        """The parts of a MIME bundle that are kept: text and pictures."""
        pictures, words = {}, [self._cut(text_in(data))]
        for kind in PICTURES.keys() & data.keys():
            if picture := self._picture(kind, data[kind]):
                pictures[kind] = picture
            else:
                words.append(NO_PICTURE.format(kind))
        if not pictures and not data.keys().isdisjoint(DRAWINGS):
            words.append(NO_DRAWING)
        text = "\n".join(filter(None, words))
        return {**({"text/plain": text} if text else {}), **pictures}

    def _picture(self, kind: str, data: Any) -> str | None:
        """A picture, drawn again; None if it is none, or too large."""
        if not isinstance(data, str) or not data.isascii() or len(data) > MAX_MEDIA:
            return None
        drawn = drawn_again(data, kind)
        if drawn is None or len(drawn.data) > MAX_MEDIA or drawn.pixels > self._pixels:
            return None
        if not self._take(len(drawn.data)):
            return None
        self._pixels -= drawn.pixels
        return drawn.data

    def _cut(self, text: str, room: int = MAX_TEXT) -> str:
        """The text without terminal colors and lone surrogates, cut to the room that is left."""
        text = uncolored(text)
        whole = len(text)
        text = text[:room].encode("utf-8", "replace").decode("utf-8")
        if whole > room:
            text += f"\n… cut here: {whole:,} characters in all."
        return text if self._take(_size(text)) else TOO_LARGE

    def _take(self, size: int) -> bool:
        if size > self._left:
            return False
        self._left -= size
        return True


def _kind(message: Any) -> str | None:
    """The output type that a message claims; None if it is not a string."""
    match message:
        case {"output_type": str(kind)}:
            return kind
    return None


def _display_name(message: dict) -> str | None:
    match message:
        case {"transient": {"display_id": str(name)}} if len(name) <= MAX_NAME:
            return name
    return None


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8"))
