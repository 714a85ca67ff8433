"""The verb `fit_then_predict`: fit a model to a text, and let it predict texts it has not seen."""
