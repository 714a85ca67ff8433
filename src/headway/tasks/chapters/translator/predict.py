"""Predict: the shape of the weights, what the decoder reads, and a smoothed target by hand."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception

# The question: a batch of 3, S = 14, T = 9, C = 48, H = 6.
weights_shape = by_hand(
    "13-translator/weights-shape",
    "The shape of the cross-attention weights",
    [3, 6, 9, 14],
    Misconception(
        "keys-before-queries",
        [3, 6, 14, 9],
        "Your rows belong to source tokens. Whose rows should sum to one: those who ask or those "
        "who are asked?",
    ),
    Misconception(
        "target-looks-at-target",
        [3, 6, 9, 9],
        "These are the weights of the decoder's self-attention. Where do the keys of "
        "cross-attention come from?",
    ),
    Misconception(
        "source-looks-at-source",
        [3, 6, 14, 14],
        "These are the weights in the encoder. Who asks in cross-attention?",
    ),
    Misconception(
        "heads-forgotten",
        [3, 9, 14],
        "These are the weights of a single head. How many tables are there for each sentence?",
    ),
    Misconception(
        "heads-after-queries",
        [3, 9, 6, 14],
        "The numbers are right, in another order. Which axis stands right after the batch, so "
        "that each head has a table of queries by keys?",
    ),
    Misconception(
        "heads-before-batch",
        [6, 3, 9, 14],
        "The numbers are right, in another order. Which axis comes first in this course?",
    ),
    Misconception(
        "head-width-for-heads",
        [3, 8, 9, 14],
        "Your second number is the width of a head, D = C / H. How many tables of weights are "
        "there for each sentence?",
    ),
    Misconception(
        "batch-forgotten",
        [6, 9, 14],
        "These are the weights for one pair of sentences. How many are in the batch?",
    ),
    Misconception(
        "output-for-weights",
        [3, 9, 48],
        "This is the shape of what comes out of cross-attention. What is asked for is the weights.",
    ),
    Misconception(
        "queries-for-weights",
        [3, 6, 9, 8],
        "This is the shape of the queries, with D = C / H numbers in each. A weight belongs to a "
        "query and a key: how many keys does each query have?",
    ),
    minutes=3,
    answer="weights_shape",
    compare=equal(),
)

what_is_read = by_hand(
    "13-translator/what-is-read",
    "What the decoder reads, in training and in use",
    [["<start>", "elle"], ["<start>", "il"]],
    Misconception(
        "teacher-forcing-at-evaluation",
        [["<start>", "elle"], ["<start>", "elle"]],
        "The first list is right. In the second situation nobody knows the right translation. "
        "Which words are there to read?",
    ),
    Misconception(
        "own-words-in-training",
        [["<start>", "il"], ["<start>", "il"]],
        "The second list is right. With teacher forcing, does it matter in training what the "
        "model itself would have said?",
    ),
    Misconception(
        "the-other-way-round",
        [["<start>", "il"], ["<start>", "elle"]],
        "You have the two situations the other way round. In which of them is there a teacher?",
    ),
    Misconception(
        "shift-missing",
        [["elle", "aime"], ["il", "aime"]],
        "The word that is to be said stands among the words that are read. What stands in the "
        "first place instead?",
    ),
    Misconception(
        "own-answer-read",
        [["<start>", "elle", "aime"], ["<start>", "il", "aime"]],
        "The last word in your lists is the one that is to be said. Can it have been read?",
    ),
    Misconception(
        "start-dropped",
        [["elle"], ["il"]],
        "These are the words said so far. What does a decoder read before it has said anything, "
        "and does that go away later?",
    ),
    Misconception(
        "last-word-only",
        [["elle"], ["<start>", "il"]],
        "In use your list is right. In training the same tokens stand before the word: which one "
        "is missing?",
    ),
    Misconception(
        "source-for-target",
        [["she", "loves"], ["she", "loves"]],
        "That is what the encoder reads. What does the decoder read?",
    ),
    Misconception(
        "whole-target-read",
        [["<start>", "elle", "aime", "les", "chats"], ["<start>", "il"]],
        "The second list is right. In training all of the translation is there, and one pass says "
        "all of its words. What hides the later ones from the place that says the second word?",
    ),
    Misconception(
        "whole-target-read-with-its-end",
        [["<start>", "elle", "aime", "les", "chats", "<end>"], ["<start>", "il"]],
        "The second list is right. In training all of the translation is there. What hides the "
        "later words from the place that says the second one?",
    ),
    Misconception(
        "whole-target-read-unshifted",
        [["elle", "aime", "les", "chats"], ["<start>", "il"]],
        "The second list is right. The first is what is to be said, all of it. What does the "
        "decoder begin with, and what hides the later words from the place that says the second?",
    ),
    Misconception(
        "answer-read-in-training",
        [["<start>", "elle", "aime"], ["<start>", "il"]],
        "The second list is right. In the first the last word is the one that is to be said: "
        "teacher forcing gives the words before it. Can it have been read?",
    ),
    Misconception(
        "source-read-too",
        [["she", "loves", "cats", "<start>", "elle"], ["she", "loves", "cats", "<start>", "il"]],
        "The last two tokens of each list are right. Who reads the source, and how does the "
        "decoder learn of it?",
    ),
    Misconception(
        "nothing-of-its-own",
        [["<start>", "elle"], ["<start>"]],
        "The first list is right. In use, what becomes of the word that the model has said?",
    ),
    Misconception(
        "brackets-of-start-left-out",
        [["start", "elle"], ["start", "il"]],
        "The words are right. How is the start symbol written in the question?",
    ),
    minutes=3,
    answer="what_is_read",
    compare=equal(),
)

# The question: V = 5, ε = 0.2.
shares = by_hand(
    "13-translator/shares",
    "A smoothed target by hand",
    [0.84, 0.04],
    Misconception(
        "annotated-variant",
        [0.8, round(0.2 / 3, 4)],
        "This is the variant of The Annotated Transformer: the true word gets no part of what is "
        "spread, and neither does the padding symbol. Over how many words does PyTorch spread it?",
    ),
    Misconception(
        "spread-over-the-others",
        [0.8, 0.05],
        "You spread over the four other words only. It sums to one and it is another variant. In "
        "PyTorch's, does the true word get a part too?",
    ),
    Misconception(
        "true-share-forgotten",
        [0.8, 0.04],
        "The share of the other words is right. What do all five shares add up to?",
    ),
    Misconception(
        "not-spread",
        [0.8, 0.2],
        "With four other words your shares add up to more than one. Is the smoothing what each "
        "word gets or what all get together?",
    ),
    Misconception(
        "not-smoothed",
        [1.0, 0.0],
        "This is the target without smoothing. How much is taken from it, and where does it go?",
    ),
    Misconception(
        "the-other-way-round",
        [0.04, 0.84],
        "The two shares are right, in the other order. Which word comes first in the question?",
    ),
    Misconception(
        "smoothing-for-the-rest",
        [0.2, 0.2],
        "You gave all five words the same. That is right for a smoothing of 1. What is it here?",
    ),
    Misconception(
        "all-others-together",
        [0.84, 0.16],
        "The true word's share is right. The other number is what the four other symbols have "
        "together. How much does each of them get?",
    ),
    Misconception(
        "spread-without-taking",
        [1.04, 0.04],
        "Your five shares add up to more than one. Where does what is spread come from?",
    ),
    Misconception(
        "padding-symbol-spared",
        [0.85, 0.05],
        "You spread over four symbols, the true word among them. Is the padding symbol one of "
        "PyTorch's V?",
    ),
    Misconception(
        "percent",
        [84.0, 4.0],
        "The shares are right, in percent. What should all five add up to?",
    ),
    minutes=3,
    answer="shares",
)
