"""Mistakes that are made in several tasks of the chapter; each task adds wrong answers by `by`."""

from headway.tasks.engine.mistakes import Mistake

SPECIALS_CHOSEN = Mistake(
    "special-tokens-chosen",
    "Tokens that are no words take part in the draw: those that begin, end or fill up a text. What "
    "would a model learn from filling them in, and how many words are left without them?",
)
EVERY_PLACE_ASKED = Mistake(
    "every-place-asked",
    "Places count that were not chosen. There the model has only to copy what it sees, or is asked "
    "for nothing at all. At which places is there something to fill in?",
)
CHOSEN_NOT_ASKED = Mistake(
    "chosen-words-not-asked",
    "Words that were chosen have no label: those that were kept, those that were replaced, or "
    "both. Why would anybody keep a word that was chosen, and how is the model to tell?",
)
LABELS_AFTER_MASKING = Mistake(
    "labels-after-masking",
    "Your labels hold what stands in the input, the mask or a random word. Which word is the model "
    "to find there, and when does one have to look at it?",
)
CHOSEN_AND_OTHERS_SWAPPED = Mistake(
    "chosen-and-others-swapped",
    "You treat the chosen places as the others should be, and the others as the chosen ones. Which "
    "of the two are few?",
)
WORD_ZERO_LOST = Mistake(
    "id-zero-lost",
    "The id 0 is taken for a sign that nothing is asked, and here it may be a word. Which number "
    "says that a place is not asked about?",
)
COLUMNS_FIRST = Mistake(
    "columns-first",
    "Your order goes down the columns first, of the patches in the image or of the pixels in a "
    "patch. Which of the two is the next one in reading order: the right neighbor or the lower?",
)
CHANNELS_APART = Mistake(
    "channels-apart",
    "Your patches have all numbers of one channel first, then those of the next. What stands side "
    "by side in the order that the text asks for?",
)
HEIGHT_AND_WIDTH_SWAPPED = Mistake(
    "height-and-width-swapped",
    "This may be right for square images and square patches. Which of your numbers belongs to the "
    "height, and which one says how many patches stand beside each other?",
)
SHARES_OF_ANOTHER_WHOLE = Mistake(
    "shares-of-another-whole",
    "One of your shares is taken of another whole: of all columns, of all words, or of those that "
    "are hidden. Of which words is the first share taken, and of which are the three fates?",
)
FATES_MIXED_UP = Mistake(
    "fates-mixed-up",
    "The chosen words do not have the three fates of the text, in their shares or by their draws: "
    "two are swapped, or they overlap. Below which number of one draw does a word become the mask, "
    "and between which two is it replaced?",
)
BATCH_MIXED = Mistake(
    "batch-mixed",
    "What belongs to several texts or images of a batch has come together in one row of your "
    "result. Which axis has to stay the first one, whatever becomes of the others?",
)
RANDOM_WORD_ANOTHER = Mistake(
    "random-word-always-another",
    "A random word is never the word that stood there, as you have it. From which words is it "
    "drawn, and how often is one of a few the right one by chance?",
)
