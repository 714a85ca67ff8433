"""The known mistakes of the capstone, told by why a model is refused, or by what each byte costs.

The surest come first; those about what a model knows go from hardly anything to almost enough.
"""

from headway.tasks.chapters.capstone import signs
from headway.tasks.chapters.capstone.truth import OF_ENDINGS, OF_NAMES
from headway.tasks.engine.mistakes import seen
from headway.tasks.engine.unseen_text.cost import SHARED
from headway.tasks.engine.unseen_text.refusals import ENDED

BY_ALL, BY_NAMES = "another language, against the best chain", "the names that come back"

REFUSED = (
    seen(
        "long-cell",
        "Your cell is longer than a cell may be. Which part of it does neither fit nor predict "
        "need, and are there numbers in it that should be learned?",
        signs.refused("a long cell"),
    ),
    seen(
        "helper-elsewhere",
        "When it is graded, your cell runs alone, and something it uses comes from another cell. "
        "If you restart the kernel and run only this one, what is not known?",
        signs.refused("a helper elsewhere"),
    ),
    seen(
        "stopped-at-a-limit",
        "Your model was stopped before it had finished, for its time or its memory. What does it "
        "compute again and again, or all at once, that it needs only once or in parts?",
        signs.refused(ENDED),
    ),
    seen(
        "shares-over-the-texts",
        "Your columns sum to one, but your rows don't. Along which axis are the bytes that "
        "compete to come next?",
        signs.refused("sums over the texts"),
    ),
    seen(
        "no-probabilities",
        "Some of what you return is below zero or not a number, as scores and logarithms can be. "
        "What makes probabilities of them?",
        signs.refused("no probabilities", "logarithms"),
    ),
    seen(
        "sums-not-one",
        "Nothing you return is below zero, but your rows don't sum to one. What should they be "
        "divided by?",
        signs.refused("sums that are not one"),
    ),
    seen(
        "a-prediction-for-every-place",
        "You return a row for each byte that was seen. Which of them is about the byte that comes "
        "next?",
        signs.refused("a prediction for every place"),
    ),
    seen(
        "columns-of-symbols",
        "What predict returns is not an array of fractions with a row for each text and a column "
        "for each of the 256 bytes. Of what kind is it, and which rows and columns does it have?",
        signs.refused("another shape"),
    ),
    seen(
        "impossible-bytes",
        "A byte that comes had the probability zero, and costs infinitely many bits. How sure can "
        "a model be after a few hundred thousand bytes?",
        signs.refused("impossible bytes"),
    ),
    seen(
        "too-large-a-model",
        "Your model takes more bytes than are allowed. Which of its arrays is the largest, how "
        "many bytes does each of its numbers take, and does it hold what you have learned from "
        "the text, or the text?",
        signs.refused("too large a model"),
    ),
    seen(
        "no-plain-arrays",
        "What fit returns is not a dictionary of float16 or float32 arrays. Of what kind is each "
        "of its values?",
        signs.refused("no dictionary of arrays"),
    ),
    seen(
        "names-of-arrays",
        "The names of your arrays are refused: there are too many, or they are too long or not in "
        "plain letters. Could one array hold what many hold now?",
        signs.refused("names of arrays"),
    ),
    seen(
        "numbers-not-finite",
        "Among the numbers of your model is an infinity, a NaN or an empty array. At which step "
        "of training does the first one appear?",
        signs.refused("numbers that are not finite"),
    ),
)
MEASURED = (
    seen(
        "shared-state",
        "Where fit has not run before it, your predict gives something else. What does it use "
        "besides the arrays that it is given?",
        lambda got, expected, case: got.get("shared") or signs.refused(SHARED)(got, expected, case),
    ),
    seen(
        "better-than-the-language",
        "Your model pays less than the language itself makes anybody pay who doesn't know what "
        "comes. Where has it met these very texts before?",
        signs.better_than_the_language,
    ),
    seen(
        "not-trained",
        "Your model knows no more than one that has read no text. How far does the loss fall in "
        "fit, and are the trained numbers those that fit returns and predict uses?",
        signs.nothing_learned,
    ),
    seen(
        "one-prediction-for-all-texts",
        "All texts of a batch get the same probabilities. Does any of what was seen reach them, "
        "and where does one text stand in for all, or an average over them?",
        signs.same_for_all,
    ),
    seen(
        "like-texts-predicted-unlike",
        "A text that has been the same so far gets different predictions. What reaches them "
        "besides its own bytes: other texts of the batch, an earlier call, or chance?",
        signs.unlike_for_like,
    ),
    seen(
        "one-byte-late",
        "Your model predicts the byte that it has just seen. Which byte does each input learn to "
        "predict, and which row of the output is about the next one?",
        signs.late,
    ),
    seen(
        "sure-of-other-bytes",
        "Most bytes cost more than if all 256 were equally likely: your model is sure of others. "
        "With which byte does fit compare each output, and does predict make the same "
        "probabilities of it, in the same columns?",
        signs.others_for_sure,
    ),
    seen(
        "even-while-texts-are-the-same",
        "While all texts are still the same, all bytes are equally likely to your model. What is "
        "a byte's score compared with: the scores of the other bytes, or of the other texts?",
        signs.shared_by_texts,
    ),
    seen(
        "characters-not-expected",
        "Some characters surprise your model nearly wherever they come. How do fit and predict "
        "come to know which ones a language has, and do they tell all of them apart?",
        signs.bytes_not_expected,
    ),
    seen(
        "context-too-short",
        "Your model knows hardly more than the last byte tells, or not even that. How many of the "
        "bytes that it is given reach the prediction, and does their order?",
        signs.knows_the_last_byte_alone,
    ),
    seen(
        "worse-than-one-byte",
        "Your model pays more than a chain that sees only the last byte. Does it learn for long "
        "enough, and does predict do what fit has trained: with the same numbers, for the same "
        "inputs, at the same places, and only from what came before?",
        signs.worse_than_one_byte,
    ),
    seen(
        "few-bytes-reach-back",
        "Wherever the last few bytes are the same, your model predicts the same, as a chain does. "
        "How far back are the noun that tells a verb's ending, and the name that comes back?",
        signs.knows_a_few_bytes,
    ),
    seen(
        "sentence-by-sentence",
        "Wherever a sentence is the same so far, your model predicts the same, whatever came "
        "before the sentence. Where does a story tell who its name is?",
        signs.knows_the_sentence,
    ),
    seen(
        "never-sure",
        "Even where a word can go on in only one way, your model leaves much to other bytes. How "
        "much of the probability is shared by all, and can what gives the rest become sharp?",
        signs.never_sure,
    ),
    seen(
        "few-bytes-cost-most",
        "A few bytes cost so many bits that they make up much of what you pay. What makes your "
        "model so sure that they won't come?",
        signs.few_cost_most,
    ),
    seen(
        "first-story-alone",
        "In the first story of a text your model finds the name and its endings, and in the later "
        "ones it doesn't. Where does the story begin that a byte belongs to?",
        signs.knows_the_first_story_alone,
    ),
    seen(
        "words-not-known",
        "Where a word can go on in only one way, a chain of a few bytes knows it, and your model "
        "often doesn't. What keeps it from knowing the words: how far back it looks, how long it "
        "learns, how much room it has, or that fit shows it bytes that are still to come?",
        signs.unsure_of_words,
    ),
    seen(
        "no-better-than-chains",
        "Your model knows no more than a chain does. How far apart are the words of a sentence "
        "that agree, and what can be known from the story alone?",
        signs.no_better_than_a_chain,
    ),
    seen(
        "endings-not-agreed",
        "The ending of a verb behind a name still surprises your model. Which word of the story "
        "tells the ending, and how far back is it?",
        signs.surprised_by("agrees", OF_ENDINGS),
    ),
    seen(
        "names-not-found-again",
        "A name that comes back still surprises your model. What would have to be compared with "
        "what, to find where the name was before?",
        signs.surprised_by("again", OF_NAMES),
        only_at=(BY_NAMES,),
    ),
    seen(
        "only-all-bytes-fail",
        "Your model fails only where all bytes of a language count. What else costs it much there, "
        "besides the endings and the names?",
        only_at=(BY_ALL,),
    ),
)
MISTAKES = (*REFUSED, *MEASURED)
