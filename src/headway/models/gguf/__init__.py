"""Models in one GGUF file, as llama.cpp's programs read and write them.

Such a file holds all that a folder of Hugging Face does, under other names: sizes and conventions,
the tokenizer, the chat template, and the weights, most of them quantized. A model of Llama's family
is read from it as from a folder; `headway.models.hugging_face.model_folder` takes either.

    header        the bytes of a file: what they say, compared with how many there are
    file          the file: its metadata, and its tensors
    config        the metadata as the `config.json` of the same model would have them
    weights       the tensors by Hugging Face's names, each made float again when it is asked for
    tokenizer     its tokenizer, made anew with the `tokenizers` library
"""
