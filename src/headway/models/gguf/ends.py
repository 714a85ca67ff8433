"""Tokens that end a text by their names, whatever a file's metadata say.

Many a file names one end and was trained with another: "<|endoftext|>" after a document, and
"<|im_end|>" after an answer. llama.cpp therefore stops at each token of these names, and so do we.

Source: llama.cpp, `src/llama-vocab.cpp`, where the set of the tokens that end a generation is made.
"""

ENDS = frozenset(
    {
        *("<|eot_id|>", "<|eom_id|>", "<|end_of_text|>"),  # Llama 3
        *("<|im_end|>", "<|endoftext|>"),  # Qwen, SmolLM
        *("</s>", "<|end|>", "<end_of_turn>", "<eos>", "<EOT>", "_<EOT>", "[EOT]", "[EOS]"),
        *("<|return|>", "<|call|>", "<|calls|>", "<|flush|>", "<turn|>", "<|tool_response>"),
        *("<end_of_utterance>", "<｜end▁of▁sentence｜>", "[e~["),
    }
)
# After a gap in code has been filled; by their names only if the metadata do not say.
AFTER_GAPS = {
    "fim_pad_token_id": {"<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"},
    "fim_rep_token_id": {"<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"},
    "fim_sep_token_id": {"<|file_sep|>"},
}
NAMED_ENDS = ("eos_token_id", "eot_token_id", "eom_token_id", *AFTER_GAPS)
# Where a vocabulary has all of the first, the last is one within answers.
WITHIN = (
    ({"<|return|>", "<|call|>"}, "<|end|>"),
    ({"<|return|>", "<|calls|>"}, "<|end|>"),
    ({"<|flush|>", "<|call|>"}, "<|end|>"),
    ({"<|flush|>", "<|calls|>"}, "<|end|>"),
    ({"<|tool_response>"}, "</s>"),
)
