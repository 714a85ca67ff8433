"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import SharedMisconception

# Masking

SPECIALS_CHOSEN = SharedMisconception(
    "special-tokens-chosen",
    "Tokens that are no words take part in the draw. Which ones begin, end or fill up a text, and "
    "how many words are left without them?",
)
EVERY_PLACE_ASKED = SharedMisconception(
    "every-place-asked",
    "Places count at which nothing is asked. Where does the model have something to fill in?",
)
CHOSEN_NOT_ASKED = SharedMisconception(
    "chosen-words-not-asked",
    "Some of the chosen words have no label. How is the model to tell which of the words in its "
    "input were chosen and kept, or replaced?",
)
LABELS_AFTER_MASKING = SharedMisconception(
    "labels-after-masking",
    "Your labels hold what is in the input, the mask or a random word. Which word is the model to "
    "find there?",
)
CHOSEN_AND_OTHERS_SWAPPED = SharedMisconception(
    "chosen-and-others-swapped",
    "You treat the chosen places as the others should be, and the others as the chosen ones. Which "
    "of the two are few?",
)
ANOTHER_SIGN = SharedMisconception(
    "another-sign-for-nothing",
    "You mark what is not asked by another number than the text does, or take the id 0 for such a "
    "mark. Which numbers can be a word?",
)
SHARES_OF_ANOTHER_WHOLE = SharedMisconception(
    "shares-of-another-whole",
    "One of your shares is taken of another whole. Of which words is the first share taken, and of "
    "which the three fates?",
)
FATES_MIXED_UP = SharedMisconception(
    "fates-mixed-up",
    "The chosen words do not have the three fates of the text, in its shares. Which draws of a "
    "chosen word lead to each of them?",
)
RANDOM_WORD = SharedMisconception(
    "random-word-drawn-wrongly",
    "Your random words are not drawn anew from all words and from nothing else. Which ones may "
    "come, and may the word that was there?",
)

# Patches

COLUMNS_FIRST = SharedMisconception(
    "columns-first",
    "Your order goes down the columns first, of the patches in the image or of the pixels in a "
    "patch. What comes next in reading order: the right neighbor or the lower one?",
)
CHANNELS_APART = SharedMisconception(
    "channels-apart",
    "The channels of a pixel are not side by side in yours, or some are missing. Where are they in "
    "the image, and where in a patch?",
)
HEIGHT_AND_WIDTH_SWAPPED = SharedMisconception(
    "height-and-width-swapped",
    "This may be right for square images and square patches. Which of your numbers belongs to the "
    "height, and which one says how many patches are side by side?",
)

# Encoders

PADDING_SEEN = SharedMisconception(
    "padding-seen",
    "Your words look at padding, and it takes a share of their weights. Which columns must nobody "
    "look at, and what tells your model so?",
)
PADDING_POOLED = SharedMisconception(
    "padding-pooled",
    "Padding is a part of the text's vector, or all of it. What becomes of that vector when a text "
    "is filled up further?",
)
BATCH_MIXED = SharedMisconception(
    "batch-mixed",
    "What belongs to several texts or images of a batch is together in one row of your result. "
    "Which axis has to stay the first one?",
)
MEAN_MISCOUNTED = SharedMisconception(
    "mean-miscounted",
    "You divide a sum by another number than that of its terms, or not at all, or take a mean of "
    "means. How many terms are there, and do all weigh the same?",
)
ARGUMENT_NOT_READ = SharedMisconception(
    "argument-not-read",
    "You go by a fixed number, and this is right as long as it is the one that is given. Which "
    "argument do you not read?",
)
