"""What the answers of assignment %{NN}, TO WRITE: its subject in a few words, are held to."""

%{imports}

TASKS = (
%{tasks}
)
