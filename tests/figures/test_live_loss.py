"""The live loss curve: what it draws, when, and what stays in a notebook."""

import itertools
import re
import subprocess
import sys
from types import SimpleNamespace
from urllib.parse import unquote

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbclient import NotebookClient

from headway.figures import live_loss
from headway.figures.core.picture import Picture
from headway.figures.live_loss import LiveLoss, averaged, spread


def trainer(losses, held_out=()):
    """What a trainer shows to its callbacks."""
    history = [SimpleNamespace(step=n, loss=loss) for n, loss in enumerate(losses, start=1)]
    return SimpleNamespace(history=history, held_out=list(held_out), step=len(history))


@pytest.fixture
def shown(monkeypatch):
    """A stand-in for the notebook: the list of ("new" or "update", picture)."""
    pictures = []

    class Handle:
        def update(self, picture):
            pictures.append(("update", picture))

    def display(picture, display_id):
        pictures.append(("new", picture))
        return Handle()

    monkeypatch.delenv("HEADWAY_BOOK", raising=False)
    monkeypatch.setattr(live_loss, "in_notebook", lambda: True)
    monkeypatch.setattr("IPython.display.display", display)
    for module in ("headway.figures.core.plot", "headway.figures.live_loss"):  # drawing takes time
        monkeypatch.setattr(f"{module}.take_picture", lambda *_, **__: Picture("image/png", b""))
    return pictures


@pytest.fixture
def clock(monkeypatch):
    """The time, in a list that a test turns on."""
    now = [100.0]
    monkeypatch.setattr(live_loss.time, "monotonic", lambda: now[0])
    return now


def kinds(shown):
    return [kind for kind, _ in shown]


def test_title_alternative_and_names_beside_the_curves_say_what_the_losses_did():
    live = LiveLoss({"uniform guess": 3.91}, unit="bits a byte")
    plot = live.plot(trainer([4.0, 2.0, 1.0], [(2, 2.5), (3, 2.75)]))
    assert plot.title == "The training loss fell from 4 to 1 in 3 steps"
    assert "Training loss over 3 steps, in bits a byte: 4 at step 1, 1 at step 3." in plot.alt
    assert "Held-out loss: 2.5 at step 2, 2.75 at step 3; lowest 2.5 at step 2." in plot.alt
    assert "Line at 3.91: uniform guess." in plot.alt
    (picture,) = re.findall(r'hw-light[^>]*src="data:image/svg[^,]*,([^"]+)"', plot.html())
    for name in ("training", "held out", "uniform guess", "loss (bits a byte)"):
        assert f">{name}</text>" in unquote(picture)
    for losses, verb in [([1.0, 2.0], "rose"), ([1.0, 1.0], "stayed")]:
        assert f"loss {verb} from 1 to" in LiveLoss().plot(trainer(losses)).title


def test_a_long_training_is_averaged_and_stays_small():
    long = trainer([3.0 + (n % 7) / 9 for n in range(20_000)])
    assert len(LiveLoss().plot(long).html()) < 100_000


@given(st.lists(st.floats(0, 9), min_size=1, max_size=60), st.integers(1, 20))
def test_averaging_keeps_the_mean_of_runs_of_steps(losses, points):
    curve = averaged(list(enumerate(losses)), points)
    assert len(curve) == min(points, len(losses))
    assert list(curve[:, 0]) == sorted(curve[:, 0])
    assert min(losses) - 1e-9 <= curve[:, 1].min() <= curve[:, 1].max() <= max(losses) + 1e-9
    if len(losses) <= points:
        assert curve[:, 1].tolist() == losses


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_names_keep_their_order_do_not_touch_and_stay_where_they_did_not(places):
    moved = spread(places, gap=0.08)
    heights = [moved[i] for i in sorted(range(len(places)), key=lambda i: places[i])]
    assert all(above - below >= 0.08 - 1e-9 for below, above in itertools.pairwise(heights))
    assert spread([0.9, 0.1, 0.5]) == pytest.approx([0.9, 0.1, 0.5])


def test_a_picture_is_renewed_in_place_and_not_at_every_step(shown, clock):
    live = LiveLoss()
    for step in range(1, 31):  # a step takes a quarter of a second
        live(trainer([1.0] * step))
        clock[0] += 0.25
    assert kinds(shown) == ["new"] + ["update"] * 7
    live.finish(trainer([1.0] * 30))
    assert kinds(shown)[8:] == ["update"]
    assert "in 30 steps" in shown[-1][1].title


def test_slow_drawing_takes_a_small_part_of_the_time(shown, clock):
    live = LiveLoss()
    picture = live.plot(trainer([2.0, 1.0]))

    def slow(trainer):
        clock[0] += 2.0
        return picture

    live.plot = slow
    for step in range(1, 601):
        live(trainer([1.0] * step))
        clock[0] += 0.1
    assert 4 <= len(shown) <= 6  # 2 of every 12 seconds, in 60 seconds of training


def test_a_new_training_gets_a_picture_of_its_own_and_one_of_no_steps_none(shown):
    live = LiveLoss()
    live.finish(trainer([]))
    assert shown == []
    for _ in range(2):
        live.start(trainer([]))
        live.finish(trainer([2.0, 1.0]))
    assert kinds(shown) == ["new", "update"] * 2
    with pytest.raises(ValueError, match="no loss to draw"):
        live.plot(trainer([]))


def test_a_page_of_the_book_gets_one_picture_at_the_end(shown, monkeypatch):
    monkeypatch.setenv("HEADWAY_BOOK", "1")
    live = LiveLoss(seconds=0.0)
    live.start(trainer([]))
    for step in range(1, 5):
        live(trainer([1.0] * step))
    assert shown == []
    live.finish(trainer([1.0] * 4))
    assert kinds(shown) == ["new"]


def test_a_plain_script_draws_nothing_and_loads_no_plotting():
    code = (
        "from types import SimpleNamespace as N\n"
        "from headway.figures.live_loss import LiveLoss\n"
        "trainer = N(step=9, history=[N(step=9, loss=1.0)], held_out=[])\n"
        "live = LiveLoss(seconds=0.0)\n"
        "live.start(trainer); live(trainer); live.finish(trainer)\n"
        "import sys; print({'IPython', 'matplotlib'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("set()\n", "")


TRAINING = """
import torch
from torch import nn
from headway.figures.live_loss import LiveLoss
from headway.training.batches import Shuffled, in_order
from headway.training.optimizer import adamw
from headway.training.trainer import Trainer
from headway.training.validation import Validation

def loss(model, batch):
    return (model(batch[0]) - batch[1]).square().sum(), len(batch[0])

data, model = (torch.randn(60, 2), torch.ones(60, 1)), nn.Linear(2, 1)
callbacks = [Validation(in_order(data, 25), every=100), LiveLoss({"always zero": 1.0}, seconds=0.1)]
Trainer(model, loss, Shuffled(data, 20), adamw(model, 0.01), callbacks=callbacks).train(300)
"""


@pytest.mark.jupyter
def test_a_notebook_keeps_a_bar_and_one_picture_and_nothing_on_stderr(monkeypatch):
    monkeypatch.delenv("HEADWAY_BOOK", raising=False)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(TRAINING)])
    NotebookClient(notebook, kernel_name="python3", coalesce_streams=True).execute()
    outputs = notebook.cells[0].outputs
    assert [output.output_type for output in outputs] == ["display_data", "stream"]
    picture, bar = outputs
    assert bar.name == "stdout"
    assert "300/300" in bar.text
    assert "in 300 steps" in picture.data["text/html"]
    assert "Held-out loss" in picture.metadata["image/png"]["alt"]
