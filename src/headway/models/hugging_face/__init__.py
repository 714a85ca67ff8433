"""Weights of Hugging Face models in ours: one module for each architecture that agrees.

Only tensors are read, from a state dict; the `transformers` package is not needed.

A state dict shows every width and the number of layers, so that what differs in these is refused.
It does not show the rest, and a model that differs there loads without a word and computes
something else. Compare these with the `config.json` that stands beside the weights:

    ours         GPT-2                 BERT                  BART, Marian
    heads        n_head                num_attention_heads   encoder_attention_heads, decoder_…
    activation   activation_function   hidden_act            activation_function
    epsilon      layer_norm_epsilon    layer_norm_eps        1e-5 always
    scaled                                                   scale_embedding

    ours         Llama
    heads        num_attention_heads
    activation   hidden_act
    epsilon      rms_norm_eps
    base         rope_theta, without rope_scaling

"gelu_new" there is "gelu-tanh" here, "swish" is "silu".
"""
