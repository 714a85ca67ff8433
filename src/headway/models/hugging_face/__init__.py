"""Weights of Hugging Face models in ours: one module for each architecture that agrees.

Only tensors are read, from a state dict or from safetensors; the `transformers` package is not
needed.

A state dict shows every width and the number of layers, so that what differs in these is refused.
It does not show the rest, and a model that differs there loads without a word and computes
something else. Compare these with the `config.json` that stands beside the weights:

    ours         GPT-2                 BERT                  BART
    heads        n_head                num_attention_heads   encoder_attention_heads, decoder_…
    activation   activation_function   hidden_act            activation_function
    epsilon      layer_norm_epsilon    layer_norm_eps        1e-5 always
    scaled                                                   scale_embedding

"gelu_new" there is "gelu-tanh" here. For the families of `config_file` (GPT-2, GPT-Neo, GPT-NeoX,
Llama, Mistral, Mixtral, Qwen, Phi-3, Gemma 2 and 3) there is `model_folder`, which reads the whole
published folder, `config.json` included.
"""
