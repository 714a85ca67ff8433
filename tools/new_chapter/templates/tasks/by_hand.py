%{variable} = by_hand(
    "%{name}/%{id}",
    "TO WRITE: what it is, in a few words for tables",
    1.0,  # TO WRITE: the value
    Misconception(
        "to-write-%{id}",
        2.0,
        "TO WRITE: what the value of %{id} would be right for, and a question?",
    ),
    minutes=2,  # TO WRITE: for one who has read the page
    answer="%{answer}",
)
