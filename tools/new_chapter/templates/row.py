    Chapter(
        %{number},
        "%{slug}",
        "%{title}",
        parts=%{parts},
        modules=(),
    ),
