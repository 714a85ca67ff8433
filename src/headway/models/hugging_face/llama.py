"""The weights of Llama's family, as Hugging Face names them, in a `LanguageModel`.

    model = LanguageModel(replace(LLAMA, layers=2, …), torch.Generator())
    load_llama(model, state)

Their W_Q, W_K and W_V are three matrices and ours one, and so are the gate and what it lets pass.
Rotary pairs are halves there, as in the conventions of `LLAMA`. Mistral and Qwen use the same
names, Qwen 3 two more for the norms of queries and keys.
"""

from collections.abc import Mapping

from torch import Tensor

from headway.models.hugging_face.renaming import WithoutPrefix, load_renamed
from headway.models.language_model import LanguageModel

RENAMES = (
    (r"^embedding\.", "embed_tokens."),
    (r"^output\.", "lm_head."),
    (r"^stack\.blocks\.", "layers."),
    (r"^stack\.norm\.", "norm."),
    (
        r"attention\.qkv\.",
        ("self_attn.q_proj.", "self_attn.k_proj.", "self_attn.v_proj."),
    ),
    (r"attention\.output\.", "self_attn.o_proj."),
    (r"attention\.query_norm\.", "self_attn.q_norm."),
    (r"attention\.key_norm\.", "self_attn.k_norm."),
    (r"feed_forward\.expand\.", ("mlp.gate_proj.", "mlp.up_proj.")),
    (r"feed_forward\.contract\.", "mlp.down_proj."),
    (r"attention_residual\.norm\.", "input_layernorm."),
    (r"feed_forward_residual\.norm\.", "post_attention_layernorm."),
)
IGNORED = r"rotary_emb\.inv_freq$"  # kept by older files


def load_llama(model: LanguageModel, state: Mapping[str, Tensor]) -> None:
    """Take the weights of a `LlamaForCausalLM` or `LlamaModel`, or of Mistral's or Qwen's.

    Args:
        model: with Llama's conventions, as in `headway.models.language_model.LLAMA`; changed in
            place.
        state: the state dict, from `state_dict()` or from published files; each tensor is read
            when its turn comes.

    Raises:
        KeyError, ShapeError, ValueError: if the two differ; the message names the weight.
        ValueError: also if the model's rotary pairs are interleaved.
    """
    if model.config.pairs != "halves":
        raise ValueError(
            f"the model's rotary pairs are {model.config.pairs}; in Hugging Face's files they are "
            "halves. The weights would load, and the scores would be others: make the model with "
            'pairs="halves"'
        )
    state = WithoutPrefix(state, "model.")
    if model.config.tied:
        state.drop_copy("lm_head.weight", "embed_tokens.weight")
    load_renamed(model, state, RENAMES, IGNORED)
