"""BERT's weights, as Hugging Face names and stores them, in a `MaskedModel` and its heads.

state = torch.load("pytorch_model.bin", weights_only=True)
model = MaskedModel(CONFIGS["bert-base"], torch.Generator())
load_bert(model, state)                                     the hidden states
head = TransformedFillIn(model.embedding, torch.Generator())
load_bert(WithHead(model, head), state)                     and the words

their model                      ours
BertModel with its pooler        WithHead(model, Pooler(C, …))
BertForMaskedLM                  WithHead(model, TransformedFillIn(model.embedding, …))
BertForSequenceClassification    WithHead(model, PooledHead(C, K, …, Pooler(C, …)))
"""

from collections.abc import Mapping

from torch import Tensor, nn

from headway.models.hugging_face.renaming import load_renamed

RENAMES = (
    (r"^model\.", ""),
    (r"^head\.(pool\.)?dense\.", "pooler.dense."),
    (r"^head\.output\.", "classifier."),
    (r"^head\.bias", "cls.predictions.bias"),
    (r"^head\.transform\.", "cls.predictions.transform.dense."),
    (r"^head\.norm\.", "cls.predictions.transform.LayerNorm."),
    (r"^(head\.)?embedding\.weight", "embeddings.word_embeddings.weight"),
    (r"^segment_embedding\.", "embeddings.token_type_embeddings."),
    (r"^input\.position\.table", "embeddings.position_embeddings.weight"),
    (r"^input\.norm\.", "embeddings.LayerNorm."),
    (r"^stack\.blocks\.", "encoder.layer."),
    (
        r"attention\.qkv\.",
        ("attention.self.query.", "attention.self.key.", "attention.self.value."),
    ),
    (r"attention\.output\.", "attention.output.dense."),
    (r"attention_residual\.norm\.", "attention.output.LayerNorm."),
    (r"feed_forward\.expand\.", "intermediate.dense."),
    (r"feed_forward\.contract\.", "output.dense."),
    (r"feed_forward_residual\.norm\.", "output.LayerNorm."),
)
HEADS = r"^(pooler|cls|classifier|qa_outputs)\.|\.position_ids$"
READ, WRITTEN = "embeddings.word_embeddings.weight", "cls.predictions.decoder.weight"


def load_bert(model: nn.Module, state: Mapping[str, Tensor]) -> None:
    """Copy the weights of a BERT of Hugging Face into ours.

    Their heads that ours lacks are left out: one often loads a model to give it another head.

    Args:
        model: a `MaskedModel` with BERT's conventions, as in
            `headway.models.masked_model.BERT_BASE`, or a `WithHead` of one as in the table above;
            changed in place.
        state: the state dict, from `state_dict()` or from a published file.

    Raises:
        KeyError, ShapeError, ValueError: if the two differ; the message names the weight.
    """
    state = {plain(name): weight for name, weight in state.items()}
    fills_in = any(name.startswith("head.transform.") for name in model.state_dict())
    if fills_in and {READ, WRITTEN} <= state.keys() and not state[READ].equal(state[WRITTEN]):
        raise ValueError(
            f"their {WRITTEN} differs from their {READ}: the words are written with another matrix "
            "than they are read with, and our fill-in head has only one for both"
        )
    load_renamed(model, state, RENAMES, HEADS)


def plain(name: str) -> str:
    """Their name without the model's, and with a norm's gamma and beta of old as weight, bias."""
    name = name.removeprefix("bert.")
    return name.replace("LayerNorm.gamma", "LayerNorm.weight").replace(
        "LayerNorm.beta", "LayerNorm.bias"
    )
