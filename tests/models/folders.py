"""Model folders as they are published, made with Hugging Face's own classes and random weights."""

import json
from pathlib import Path

from tokenizers import (
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)
from transformers import (
    Gemma2Config,
    Gemma2ForCausalLM,
    Gemma3ForCausalLM,
    Gemma3TextConfig,
    GPT2Config,
    GPT2LMHeadModel,
    GPTNeoConfig,
    GPTNeoForCausalLM,
    GPTNeoXConfig,
    GPTNeoXForCausalLM,
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    MixtralConfig,
    MixtralForCausalLM,
    Phi3Config,
    Phi3ForCausalLM,
    PreTrainedModel,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
    Qwen3MoeConfig,
    Qwen3MoeForCausalLM,
)

from tests.models.weights import redrawn

V, N, C, HEADS, LAYERS, M = 300, 64, 24, 6, 2, 40
SIZES = {
    "vocab_size": V,
    "hidden_size": C,
    "intermediate_size": M,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "num_key_value_heads": 2,
    "max_position_embeddings": N,
    "bos_token_id": 0,
    "eos_token_id": 1,
}
LLAMA_3 = {
    "rope_type": "llama3",
    "rope_theta": 500_000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 32,
}
YARN = {
    "rope_type": "yarn",
    "rope_theta": 10_000.0,
    "factor": 4.0,
    "beta_fast": 2.0,
    "beta_slow": 0.5,
    "original_max_position_embeddings": 32,
}
DYNAMIC = {"rope_type": "dynamic", "rope_theta": 10_000.0, "factor": 2.0}
LINEAR = {"rope_type": "linear", "rope_theta": 10_000.0, "factor": 4.0}
FULL, SLIDING = "full_attention", "sliding_attention"
MIXTURE = {"num_local_experts": 4, "num_experts_per_tok": 2}
QWEN_MIXTURE = {"num_experts": 5, "num_experts_per_tok": 3, "moe_intermediate_size": 32}
LOCAL = {"sliding_window": 5, "layer_types": [FULL, SLIDING]}
IN_TURN = {
    "use_parallel_residual": False,
    "rotary_pct": 0.5,
    "rotary_emb_base": 500,
    "hidden_act": "gelu_new",
    "tie_word_embeddings": True,
}
NEO = {"num_layers": LAYERS, "num_heads": HEADS}
PHI = {"pad_token_id": 0}
GEMMA = {
    "head_dim": 8,
    "query_pre_attn_scalar": 5,
    "sliding_window": 5,
    "layer_types": [SLIDING, FULL],
    "pad_token_id": 0,
}
CAPS = {"attn_logit_softcapping": 1.5, "final_logit_softcapping": 2.0}
BY_KIND = {
    FULL: {"rope_type": "linear", "factor": 4.0, "rope_theta": 500.0},
    SLIDING: {"rope_type": "default", "rope_theta": 20.0},
}
# What each model of the family is known for.
MODELS = {
    "llama-2": (LlamaForCausalLM, LlamaConfig, {"num_key_value_heads": HEADS}),
    "llama-3": (LlamaForCausalLM, LlamaConfig, {"rope_parameters": LLAMA_3}),
    "llama-linear": (LlamaForCausalLM, LlamaConfig, {"rope_parameters": LINEAR}),
    "llama-yarn": (LlamaForCausalLM, LlamaConfig, {"rope_parameters": YARN}),
    "llama-dynamic": (LlamaForCausalLM, LlamaConfig, {"rope_parameters": DYNAMIC}),
    "llama-tied": (LlamaForCausalLM, LlamaConfig, {"tie_word_embeddings": True}),
    "gpt-2": (GPT2LMHeadModel, GPT2Config, {"n_inner": M}),
    "mistral": (MistralForCausalLM, MistralConfig, {"sliding_window": 5, "head_dim": 4}),
    "mistral-wide": (MistralForCausalLM, MistralConfig, {"sliding_window": None, "head_dim": 8}),
    "qwen-2": (Qwen2ForCausalLM, Qwen2Config, {"tie_word_embeddings": True}),
    "qwen-3": (Qwen3ForCausalLM, Qwen3Config, {"head_dim": 8}),
    "qwen-3-local": (Qwen3ForCausalLM, Qwen3Config, LOCAL | {"use_sliding_window": True}),
    "mixtral": (MixtralForCausalLM, MixtralConfig, MIXTURE | {"sliding_window": 5}),
    "mixtral-wide": (MixtralForCausalLM, MixtralConfig, MIXTURE | {"head_dim": 8}),
    "qwen-3-experts": (
        Qwen3MoeForCausalLM,
        Qwen3MoeConfig,
        QWEN_MIXTURE | {"head_dim": 8, "norm_topk_prob": True},
    ),
    "qwen-3-shares": (Qwen3MoeForCausalLM, Qwen3MoeConfig, QWEN_MIXTURE | {"head_dim": 8}),
    "neox": (GPTNeoXForCausalLM, GPTNeoXConfig, {"hidden_size": 48, "rotary_pct": 0.25}),
    "neox-in-turn": (GPTNeoXForCausalLM, GPTNeoXConfig, IN_TURN),
    "gpt-neo": (
        GPTNeoForCausalLM,
        GPTNeoConfig,
        NEO | {"attention_types": [[["global", "local"], 1]], "window_size": 5},
    ),
    "gpt-neo-global": (
        GPTNeoForCausalLM,
        GPTNeoConfig,
        NEO | {"attention_types": [[["global"], 2]], "tie_word_embeddings": False},
    ),
    "phi-3": (Phi3ForCausalLM, Phi3Config, PHI),
    "phi-3-local": (Phi3ForCausalLM, Phi3Config, PHI | {"sliding_window": 5}),
    "phi-4": (
        Phi3ForCausalLM,
        Phi3Config,
        PHI | {"hidden_size": 48, "partial_rotary_factor": 0.75, "tie_word_embeddings": True},
    ),
    "gemma-2": (Gemma2ForCausalLM, Gemma2Config, GEMMA | CAPS),
    "gemma-2-uncapped": (
        Gemma2ForCausalLM,
        Gemma2Config,
        GEMMA
        | {"attn_logit_softcapping": None, "final_logit_softcapping": None}
        | {"layer_types": [SLIDING, SLIDING], "tie_word_embeddings": False},
    ),
    "gemma-3": (Gemma3ForCausalLM, Gemma3TextConfig, GEMMA | {"rope_parameters": BY_KIND}),
    "gemma-3-capped": (
        Gemma3ForCausalLM,
        Gemma3TextConfig,
        GEMMA | {"final_logit_softcapping": 2.0, "layer_types": [FULL, FULL]},
    ),
}
# How Llama 3 cuts text into pieces; it needs classes of letters that `re` does not have.
PIECES = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
TEXTS = ["the dog sees the cat and the cat sees the dog", "a café, a naïve fiancée; 12345 cafés"]


def model(name: str) -> PreTrainedModel:
    """Theirs, small, its weights large enough that every part shows."""
    kind, config, changes = MODELS[name]
    return redrawn(kind(config(**(SIZES | changes)))).eval()


def tokenizer() -> Tokenizer:
    """A byte-level BPE with Llama 3's pieces, which puts a start token before each text."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=V,
        special_tokens=["<|begin|>", "<|end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(TEXTS * 2, trainer)
    made.post_processor = processors.TemplateProcessing(
        single="<|begin|> $A", special_tokens=[("<|begin|>", 0)]
    )
    return made


def byte_fallback_tokenizer() -> Tokenizer:
    """Of Llama 2's kind: a letter without a token is written in tokens of one byte each."""
    pieces = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "▁the", "c", "a", "b", "é"]
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    made = Tokenizer(models.BPE(vocabulary, [], byte_fallback=True, unk_token="<unk>"))
    made.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    parts = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    made.decoder = decoders.Sequence([*parts, decoders.Strip(" ", 1, 0)])
    return made


def save(folder: Path, name: str = "llama-3", shard: str = "5GB") -> PreTrainedModel:
    """Write a whole folder, and give the model in it."""
    theirs = model(name)
    theirs.save_pretrained(folder, max_shard_size=shard)
    tokenizer().save(str(folder / "tokenizer.json"))
    return theirs


def change(path, **changes):
    """Replace entries of a JSON file; None removes one."""
    data = json.loads(path.read_text("utf-8")) | changes
    path.write_text(json.dumps({k: v for k, v in data.items() if v is not None}), "utf-8")
