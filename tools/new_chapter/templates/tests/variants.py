"""Right answers to assignment %{NN} that are written in other ways than the reference."""

VARIANTS = {
%{places}
}
