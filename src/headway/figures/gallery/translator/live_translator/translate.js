// From a text to its translation, with everything that was computed on the way.
import { beamSearch, generate, greedy, likeliest } from "../../../engine/search.js";

// Words of a text, in the spelling of the vocabulary, those that it does not have, and whether the
// last of these may be the beginning of one that it has.
export function readWords(text, vocabulary) {
  const bySmall = new Map(vocabulary.map((word) => [word.toLowerCase(), word]));
  const typed = text.replace(/[.!?,;]/g, " ").split(/\s+/).filter(Boolean);
  const words = typed.map((word) => bySmall.get(word.toLowerCase()) ?? word);
  const unknown = words.filter((word) => !vocabulary.includes(word));
  const [last] = words.slice(-1);
  const begun = vocabulary.some((word) => word.toLowerCase().startsWith(last?.toLowerCase()));
  return { words, unknown, unfinished: unknown.length === 1 && unknown[0] === last && begun };
}

// Words as they are printed: what is elided is joined to the next.
export function spell(words) {
  return words.filter((word) => !word.startsWith("<")).join(" ").replaceAll("' ", "'");
}

// A translation, greedy for one beam. parts: { english, french, start, end }, symbols and ids.
// → { source, said, ids: { encoder, decoder }, symbols, likeliest: [T][5][word, p], others, seen };
// the ids are those that a side reads, and seen holds what the encoder computed and, for each word
// said, what the decoder did, with its logits.
export function translate(model, { english, french, start, end }, words, beams) {
  const source = [...words, french[end]];
  const read = source.map((word) => english.indexOf(word));
  const { state, seen } = model.begin(read);
  const most = model.config.context - 1;
  const found = beams > 1 ? beamSearch(model, state, [start], most, end, beams) : [];
  const steps = found.length
    ? generate(model, state, [start], found[0].ids.length, (_, t) => found[0].ids[t], end)
    : greedy(model, state, [start], most, end);
  return {
    source,
    said: steps.map(({ id }) => french[id]),
    ids: { encoder: read, decoder: [start, ...steps.map(({ id }) => id)] },
    symbols: { encoder: english, decoder: french },
    likeliest: steps.map(({ logits }) =>
      likeliest(logits, 5).map(({ id, probability }) => [french[id], probability]),
    ),
    others: found.map(({ ids, score }) => [spell(ids.map((id) => french[id])), score]),
    seen: { encoder: seen, decoder: steps.map(({ seen: part, logits }) => ({ ...part, logits })) },
  };
}
