"""All verbs, by their names."""

from headway.tasks.engine.probe.asks import ask_and_count, ask_and_note, ask_then_look
from headway.tasks.engine.probe.calls import (
    call,
    call_by_length,
    call_each,
    call_for_last,
    call_for_slope,
    call_part,
    call_then_look,
    call_then_spoil,
    forward,
    forward_then_look,
    use,
    use_then_look,
    value,
)
from headway.tasks.engine.probe.outcomes import Verb

# Messages between processes name a verb by its function's name.
VERBS: dict[str, Verb] = {
    verb.__name__: verb
    for verb in (
        *(value, call, use, forward),
        *(call_each, call_part, call_by_length, call_for_last, call_for_slope),
        *(ask_and_count, ask_and_note),
        *(call_then_look, call_then_spoil, ask_then_look, forward_then_look, use_then_look),
    )
}
