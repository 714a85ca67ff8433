// The stages of a translation, by their places in the machine's drawing, each opened on its numbers.
//
// A stage becomes { says, pieces }: what there is to see in a sentence, and pieces that tables.js
// shows, { table, header, rows, lit }, { weights, corner, names, columns, values, lit },
// { bars, rows } or { full, lines }, each with its caption first.
import { alignment, attention, cache, crossAttention, heads, mask } from "./looking.js";
import { embedding, feedForward, oneHot, position, stack, stream, text, tokens } from "./reading.js";
import { choice, likeliestWords, logits, softmaxed } from "./saying.js";

// A stage, and what of "block", "head" and "look", a head or the mean of all, is to be chosen for it.
function stages() {
  return {
    ...{ text: [text], tokens: [tokens], "one-hot": [oneHot], embedding: [embedding], position: [position] },
    ...{ encoder: [stack], decoder: [stack], residual: [stream, "block"] },
    ...{ attention: [attention, "block", "head"], "attention heads": [heads, "block", "look"] },
    ...{ "attention mask": [mask, "block", "head"], "attention cache": [cache, "block", "head"] },
    ...{ "cross-attention": [crossAttention, "block", "head"], "cross-attention heads": [alignment, "block", "look"] },
    ...{ "feed-forward": [feedForward, "block"], logits: [logits], softmax: [softmaxed] },
    ...{ "next-word": [likeliestWords], choice: [choice] },
  };
}

function stageOfPlace(place) {
  return stages()[place] ?? stages()[place.replace(/^(encoder|decoder) /, "")];
}

// The side of the machine on which a place lies; what stands behind the decoder belongs to it.
export function sideOfPlace(place) {
  return place.startsWith("encoder") ? "encoder" : "decoder";
}

// What of "block", "head" and "look" a reader chooses for a place.
export function choicesOf(place) {
  return stageOfPlace(place).slice(1);
}

// Whether a place can be opened on a translation of which only the last block's alignment and the
// likeliest words are known, as on that which the page brings along.
export function isOnThePage(place, block, depth) {
  return place === "next-word" || (place === "decoder cross-attention heads" && block === depth - 1);
}

// What one side has read, as T rows: the encoder the source, the decoder what stands before the word
// of this step. rows(get) joins what `get` finds in each run of the side: the encoder has one run, the
// decoder one for each word.
function sideOf({ source, said, ids, seen, symbols }, side, step) {
  const encodes = side === "encoder";
  const words = encodes ? source : ["<start>", ...said.slice(0, step)];
  const runs = encodes ? [seen?.encoder] : (seen?.decoder.slice(0, step + 1) ?? []);
  return {
    ...{ side, words, runs, rows: (get) => runs.flatMap(get) },
    ...{ ids: ids?.[side].slice(0, words.length), symbols: symbols?.[side] },
    ...{ lit: encodes ? -1 : step, last: encodes ? 0 : step }, // `last`: the row to speak about
  };
}

// The stage of a place for a result of translate.js. chosen: { block, head, look, step }, `look` below
// zero for the mean of the heads.
export function openStage(place, result, chosen) {
  const [open] = stageOfPlace(place);
  return open(sideOf(result, sideOfPlace(place), chosen.step), chosen, result);
}
