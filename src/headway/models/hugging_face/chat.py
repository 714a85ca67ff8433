"""A question as the conversation that a chat model was trained on, in its folder's template.

    text = chat_text("SmolLM2-135M-Instruct", "Why is the sky blue?")
    # <|im_start|>user\\nWhy is the sky blue?<|im_end|>\\n<|im_start|>assistant\\n

A model that was trained to answer knows questions by the special tokens around them, and these
differ from family to family; the template in the folder writes them. What the question itself
holds is put in as it is: a "<|im_end|>" in it ends the user's turn, as with Hugging Face's
`apply_chat_template`. The text is to be encoded without the tokens that a tokenizer adds to other
texts, because the template has written these, too.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from headway.errors import UserError
from headway.models.broken_file import check_size
from headway.models.gguf import tokenizer as gguf_tokenizer
from headway.models.gguf.file import gguf_in
from headway.models.hugging_face import chat_template
from headway.models.hugging_face.config_file import read_json

FILE, CONFIG, TOKENS = "chat_template.jinja", "tokenizer_config.json", "special_tokens_map.json"
LARGEST = 2**20  # bytes of a template
ANSWER = "Headway's own answer."  # found again in what a template makes of it
SECONDS = 10.0  # for a template, which takes milliseconds, on a machine that may be busy


def chat_text(folder: str | Path, question: str, system: str | None = None) -> str:
    """The text that a folder's chat model continues with its answer.

    Args:
        folder: with `chat_template.jinja`, or a template in `tokenizer_config.json`.
        question: what the user says.
        system: what the model is told before, if the template has a place for it; where nothing
            is given, some templates write a sentence of their own.

    Raises:
        UserError: if the folder has no template, or the template cannot be used: it is broken,
            refuses the messages, leaves its sandbox, or does not end.
    """
    folder = Path(folder)
    messages = [] if system is None else [{"role": "system", "content": system}]
    messages.append({"role": "user", "content": question})
    tokens, name = special_tokens(folder), f"The chat template in {folder}"
    return render_apart(read_template(folder), messages, tokens, name)


def answer_ends(folder: str | Path, tokenizer: Tokenizer) -> frozenset[int]:
    """The id of the special token that a folder's template writes after an answer.

    It is what a chat model has learned to end its answers with, whatever `eos_token_id` says.

    Returns:
        no id, if the template cannot be used with an answer, or writes no such token.
    """
    folder = Path(folder)
    messages = [{"role": "user", "content": "?"}, {"role": "assistant", "content": ANSWER}]
    try:
        tokens, name = special_tokens(folder), f"The chat template in {folder}"
        text = render_apart(read_template(folder), messages, tokens, name, goes_on=False)
    except UserError:
        return frozenset()
    after = text.rpartition(ANSWER)[2].lstrip()
    first = tokenizer.encode(after, add_special_tokens=False).ids[:1]
    return frozenset(first) & tokenizer.get_added_tokens_decoder().keys()


def has_template(folder: str | Path) -> bool:
    """Whether a folder has a chat template that can be read."""
    try:
        return bool(read_template(Path(folder)))
    except UserError:
        return False


def read_template(folder: Path) -> str:
    """A folder's chat template; of several the one that is named "default".

    A `chat_template.jinja` comes before what `tokenizer_config.json` holds.

    Raises:
        UserError: if there is none, or a file cannot be read.
    """
    if (folder / FILE).is_file():
        check_size(folder / FILE, LARGEST)
        try:
            return (folder / FILE).read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise UserError(f"{folder / FILE} is no text in UTF-8: {error}.") from error
    file = gguf_in(folder)
    found = (
        gguf_tokenizer.chat_template(file)
        if file
        else _json_of(folder / CONFIG).get("chat_template")
    )
    if isinstance(found, list):
        found = {one.get("name"): one.get("template") for one in found if isinstance(one, dict)}
    if isinstance(found, dict):
        found = found.get("default")
    if not isinstance(found, str):
        raise UserError(
            f"{folder} has no chat template: neither a file {FILE}, nor a chat_template in "
            f"{CONFIG}. A model that was not trained to chat has none; let it continue a text "
            "without --chat."
        )
    return found


def special_tokens(folder: Path) -> dict[str, str]:
    """The texts of a folder's special tokens by name: `bos_token`, `eos_token`, …

    As with Hugging Face, `special_tokens_map.json` counts only beside a `tokenizer_config.json`
    of the kind that does not list the added tokens itself.

    Raises:
        UserError: if a file is no JSON.
    """
    if file := gguf_in(folder):
        return gguf_tokenizer.special_tokens(file)
    named = _json_of(folder / CONFIG)
    if "added_tokens_decoder" not in named:
        named = named | _json_of(folder / TOKENS)
    texts = {
        name: token.get("content") if isinstance(token, dict) else token
        for name, token in named.items()
        if name.endswith("_token")
    }
    return {name: text for name, text in texts.items() if isinstance(text, str)}


def render_apart(
    template: str,
    messages: list[dict[str, str]],
    tokens: dict[str, str],
    name: str,
    goes_on: bool = True,
) -> str:
    """`chat_template.render` in a process of its own, with an end to its time and memory.

    Raises:
        UserError: if it gives no text; the message says why, and calls the template by its name.
    """
    asked = {"template": template, "messages": messages, "tokens": tokens, "goes_on": goes_on}
    try:
        done = subprocess.run(
            [sys.executable, "-P", chat_template.__file__],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise UserError(
            f"{name} was still not done after {SECONDS:g} seconds, and a good one takes "
            "milliseconds. It may never end; do you trust where it comes from?"
        ) from error
    found = json.loads(done.stdout) if done.returncode == 0 else {}
    if "text" not in found:
        reason = found.get("error") or f"its process ended with code {done.returncode}"
        raise UserError(
            f"{name} gives no text for these messages: {reason}. Expected the template that "
            "the model was published with; it may have no place for a system message, or be broken."
        )
    return found["text"]


def _json_of(path: Path) -> dict[str, Any]:
    return read_json(path) if path.is_file() else {}
