"""Chat templates, rendered as Hugging Face's `apply_chat_template` does: `python chat_template.py`.

A template is a Jinja program that a model's publisher wrote; it turns a list of messages into the
one text that the model was trained to continue. As it comes from a stranger, it runs in Jinja's
sandbox, which lets it reach no attribute with an underscore and change nothing that it is given.
Jinja sets no end to its time and memory, so `headway.models.hugging_face.chat` runs this file in a
process of its own, which may be stopped. It imports nothing of the course for that.

In: a JSON object {"template", "messages", "tokens", "goes_on"}. Out: {"text"}, or {"error"} with a
sentence.
"""

import json
import sys
from contextlib import suppress
from datetime import datetime

from jinja2 import TemplateError, nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

MEMORY = 2**29  # bytes, more than any template needs
LONGEST = 10**7  # characters of text
CUT = 300  # characters of an error, which a template may choose


class Generation(Extension):
    """`{% generation %}` … `{% endgeneration %}` mark what a model is trained to write.

    They change nothing of the text.
    """

    tags = {"generation"}  # noqa: RUF012 - as Jinja has it

    def parse(self, parser) -> nodes.Scope:
        """What stands between the two."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.Scope(body, lineno=line)


def render(
    template: str, messages: list[dict[str, str]], tokens: dict[str, str], goes_on: bool = True
) -> str:
    """The text of messages, up to where the model's answer begins.

    Args:
        template: in Jinja.
        messages: each with a role ("system", "user" or "assistant") and its content.
        tokens: the model's special tokens by the names that templates use, such as `bos_token`.
        goes_on: whether the model is to write next; otherwise the text ends with the messages.

    Raises:
        TemplateError: if the template is broken, refuses the messages, or wants more than the
            sandbox gives. An operation of a broken template may raise anything else.
    """
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    environment.filters["tojson"] = to_json
    environment.globals["raise_exception"] = refuse
    environment.globals["strftime_now"] = now
    return environment.from_string(template).render(
        **tokens, messages=messages, tools=None, documents=None, add_generation_prompt=goes_on
    )


def to_json(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False) -> str:
    """JSON without the escapes for HTML that Jinja's own filter makes."""
    return json.dumps(
        value,
        ensure_ascii=ensure_ascii,
        indent=indent,
        separators=separators,
        sort_keys=sort_keys,
    )


def refuse(message: str) -> None:
    """What a template calls for messages that it cannot do with."""
    raise TemplateError(message)


def now(form: str) -> str:
    """Today's date or time, in the form of `strftime`."""
    return datetime.now().strftime(form)


def limit_memory() -> None:
    """Give this process no more than `MEMORY`, where the system can."""
    try:
        import resource
    except ModuleNotFoundError:  # on Windows
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = MEMORY if most == resource.RLIM_INFINITY else min(MEMORY, most)
    with suppress(ValueError):  # macOS counts more than that for any process
        resource.setrlimit(resource.RLIMIT_AS, (limit, most))


def main() -> None:
    """Render what standard input asks for."""
    asked = json.load(sys.stdin)
    limit_memory()
    try:
        text = render(**asked)
        found = {"text": text} if len(text) <= LONGEST else {"error": f"{len(text):,} characters"}
    except TemplateError as error:
        found = {"error": str(error)[:CUT]}
    except Exception as error:  # whatever its operations raise, MemoryError too
        found = {"error": f"{type(error).__name__} {error}"[:CUT]}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
