    Chapter(
        %{number},
        "%{slug}",
        %{quoted_title},
        modules=(),
    ),
