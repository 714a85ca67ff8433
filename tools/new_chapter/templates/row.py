    Chapter(
        %{number},
        "%{slug}",
        "%{title}",
        modules=(),
    ),
