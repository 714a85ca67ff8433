"""What a request may hold: each field is checked here, and what is wrong becomes a sentence."""

from collections.abc import Mapping
from reprlib import repr as briefly

from headway.explore.subject import Subject
from headway.explore.switches import is_part

LETTERS = 20_000  # of a text; more are not even cut into tokens


class RefusedError(ValueError):
    """A request that cannot be answered; the message is a sentence for the reader."""


def whole(request: Mapping, name: str, least: int, most: int) -> int:
    """The whole number under a name, in `least` … `most`.

    Raises:
        RefusedError: if it is none.
    """
    given = request.get(name)
    if type(given) is not int or not least <= given <= most:
        raise RefusedError(
            f"“{name}” must be a whole number from {least:,} to {most:,}, got {briefly(given)}."
        )
    return given


def number(request: Mapping, name: str, least: float, most: float) -> float:
    """The number under a name, in `least` … `most`.

    Raises:
        RefusedError: if it is none.
    """
    given = request.get(name)
    if type(given) not in (int, float) or not least <= given <= most:
        raise RefusedError(
            f"“{name}” must be a number from {least:g} to {most:g}, got {briefly(given)}."
        )
    return given


def filters_of(request: Mapping) -> dict | None:
    """Temperature, top-k and top-p as `Sampling` takes them; None at temperature 0.

    Raises:
        RefusedError: if one of them is none, or the temperature is too close to 0 to divide by.
    """
    temperature = number(request, "temperature", 0, 100)
    if 0 < temperature < 0.01:
        raise RefusedError(
            f"A temperature of {temperature:g} is too close to 0 to divide by. Take 0, which "
            "always chooses the likeliest token, or 0.01 and more."
        )
    top_k, top_p = request.get("top_k"), request.get("top_p")
    if top_k is not None:
        whole(request, "top_k", 1, 10**9)
    if top_p is not None:
        number(request, "top_p", 0.001, 1)
    return {"temperature": temperature, "top_k": top_k, "top_p": top_p} if temperature else None


def parts_off(request: Mapping, subject: Subject) -> tuple[str, ...]:
    """The parts that are switched off, sorted, each once.

    Raises:
        RefusedError: if it is no list of them.
    """
    given, sizes = request.get("off"), subject.sizes
    if not isinstance(given, list):
        raise RefusedError(f"“off” must be a list of parts of the model, got {briefly(given)}.")
    for name in given:
        if not (isinstance(name, str) and is_part(name, sizes)):
            raise RefusedError(
                f"The model has no part {briefly(name)} to switch off. Its {sizes.layers} blocks "
                f"count from 0, and so do the {sizes.heads} heads of each: “0”, “0.attention”, "
                "“0.feed-forward”, “0.h0”."
            )
    return tuple(sorted(set(given)))


def ids_of(request: Mapping, subject: Subject) -> tuple[list[int], int]:
    """The ids of the text and of what was drawn after it, and how many come before the drawn ones.

    Raises:
        RefusedError: if there is no text, it is too long or empty, or an id is none of the model's.
    """
    text, drawn, V = request.get("text"), request.get("drawn"), subject.sizes.vocabulary
    if not isinstance(text, str):
        raise RefusedError(f"“text” must be a text, got {briefly(text)}.")
    if not isinstance(drawn, list) or not all(type(i) is int and 0 <= i < V for i in drawn):
        raise RefusedError(f"“drawn” must be a list of ids from 0 to {V - 1:,}.")
    if len(text) > LETTERS:
        raise RefusedError(
            f"The text has {len(text):,} letters. This page reads {subject.longest} tokens at "
            "most; shorten it."
        )
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise RefusedError("The text holds half a character, which no tokenizer can read.")
    ids = subject.encode(text)
    if unknown := [i for i in ids if i >= V]:
        raise RefusedError(
            f"The text holds the token {subject.spell(unknown[0])}, id {unknown[0]:,}, and the "
            f"model knows the ids 0 to {V - 1:,}. Leave it out."
        )
    count, most = len(ids) + len(drawn), subject.longest
    if count > most:
        drawn_too = f", {len(drawn)} of them drawn" if drawn else ""
        raise RefusedError(
            f"The text has {count:,} tokens{drawn_too}, and this page reads {most} at most. "
            "Shorten it."
        )
    if not count:
        raise RefusedError("The text is empty. Write a word or two for the model to read.")
    return [*ids, *drawn], len(ids)
