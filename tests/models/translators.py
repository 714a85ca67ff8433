"""What the tests of Bart and of Marian share: a batch, and comparing with Hugging Face's models."""

import torch

from headway.inference.beam import beam_search
from headway.inference.cached_translator import CachedTranslator
from headway.inference.decoding import generate
from headway.nn.masks import token_mask

V, PADDING, END = 17, 1, 2
SIZES = {
    "vocab_size": V,
    "d_model": 16,
    "encoder_layers": 1,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 24,
    "decoder_ffn_dim": 24,
    "max_position_embeddings": 20,
    "pad_token_id": PADDING,
    "eos_token_id": END,
    "forced_eos_token_id": None,
}
OURS = {"vocabulary": V, "context": 20, "width": 16, "heads": 4, "layers": 1, "hidden": 24}
SOURCE = torch.tensor([[5, 9, 3, 14, 2], [8, 4, 2, 1, 1], [7, 2, 1, 1, 1]])
TARGET = torch.tensor([[2, 5, 3, 9, 12, 4], [2, 6, 7, 2, 1, 1], [2, 11, 12, 13, 14, 15]])
MASK = token_mask(SOURCE, PADDING)
close = {"atol": 1e-4, "rtol": 1e-4}


@torch.no_grad()
def rough(theirs, seed=0, fixed=("embed_positions",)):
    """Their model with such weights that whatever is left out shows; nothing is zero or one."""
    generator = torch.Generator().manual_seed(seed)
    for name, weight in theirs.state_dict().items():
        if not any(part in name for part in fixed):
            noise = torch.randn(weight.shape, generator=generator)
            weight.copy_(1 + 0.2 * noise if "norm.weight" in name else 0.4 * noise)
    theirs.tie_weights()
    return theirs.eval()


@torch.no_grad()
def assert_same_logits(ours, theirs, source=SOURCE, target=TARGET):
    """Every row, that of the padding in the target too: neither model hides it."""
    found = theirs(
        input_ids=source,
        attention_mask=(source != PADDING).long(),
        decoder_input_ids=target,
    )
    logits = ours.eval()(source, target, token_mask(source, PADDING))
    torch.testing.assert_close(logits, found.logits, **close)
    memory = found.encoder_last_hidden_state[source != PADDING]
    return memory, ours.encode(source, token_mask(source, PADDING))[source != PADDING]


def assert_same_translations(ours, theirs, start, steps=8):
    """Greedy and with beams, from the cache, with ends that occur."""

    def predictor():
        return CachedTranslator(ours.eval(), SOURCE, MASK)

    prompt = torch.full((len(SOURCE), 1), start)
    greedy = generate(predictor(), prompt, steps, padding=PADDING)
    found = hugging_face(theirs, start, steps, 1, None)
    assert found.sequences.equal(greedy)
    end = int(greedy[0, 3])
    found = hugging_face(theirs, start, steps, 4, end)
    hypotheses = beam_search(predictor(), prompt, steps, 4, end, padding=PADDING)
    assert hypotheses.ids.flatten(0, 1).equal(found.sequences)
    torch.testing.assert_close(hypotheses.scores.flatten(), found.sequences_scores, **close)
    assert (hypotheses.lengths < steps).any()


def hugging_face(theirs, start, steps, beams, end):
    """What their `generate` finds under the rules of our `generate` and `beam_search`."""
    return theirs.generate(
        input_ids=SOURCE,
        attention_mask=MASK[:, 0, 0].long(),
        max_new_tokens=steps,
        num_beams=beams,
        num_return_sequences=beams,
        do_sample=False,
        early_stopping="never" if beams > 1 else None,
        length_penalty=1.0 if beams > 1 else None,
        eos_token_id=end,
        pad_token_id=PADDING,
        decoder_start_token_id=start,
        return_dict_in_generate=True,
        output_scores=True,
    )
