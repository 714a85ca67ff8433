"""The code that the README shows."""

import re
import subprocess
import sys


def test_the_example_runs_as_printed(root):
    (example,) = re.findall(r"```python\n(.*?)```", (root / "README.md").read_text("utf-8"), re.S)
    assert "train(300)" in example
    short = example.replace("train(300)", "train(3)")
    done = subprocess.run([sys.executable, "-c", short], capture_output=True, text=True, check=True)
    assert "3/3" in done.stdout
    assert re.search("^Return the.", done.stdout, re.M)
    assert not done.stderr
