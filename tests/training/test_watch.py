import torch

from headway.training.watch import Watch


class Noted:
    def __init__(self):
        self.events = []

    def start(self, watch):
        self.events.append("start")

    def __call__(self, watch):
        self.events.append((watch.step, watch.history[-1].loss))

    def finish(self, watch):
        self.events.append("finish")


def test_a_loop_is_told_step_by_step_to_the_callbacks(capsys):
    noted = Noted()
    watch = Watch(noted)
    for step in watch.steps(3):
        watch.loss(torch.tensor(2.0 - step, requires_grad=True))
    assert noted.events == ["start", (1, 2.0), (2, 1.0), (3, 0.0), "finish"]
    out, err = capsys.readouterr()
    assert "3/3" in out
    assert "loss 0" in out
    assert err == ""


def test_a_loop_that_is_left_is_finished_and_the_next_begins_anew(capsys):
    noted = Noted()
    watch = Watch(noted, shown=False)
    for _ in watch.steps(10):
        watch.loss(1.0)
        break
    assert list(watch.steps(2)) == [0, 1]
    assert noted.events == ["start", (1, 1.0), "finish", "start", "finish"]
    assert watch.history == []
    assert capsys.readouterr() == ("", "")
