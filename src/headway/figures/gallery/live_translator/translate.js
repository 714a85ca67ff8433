// From a text to its translation, with everything that was computed on the way.
import { beamSearch, generate, greedy, likeliest } from "../../engine/search.js";

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
// → { source, said, likeliest: [T][5][word, p], weights: [H][T][S], others, seen }; seen holds the
// encoder's numbers and, for each word said, the decoder's. Of several blocks, the last.
export function translate(model, { english, french, start, end }, words, beams) {
  const source = [...words, french[end]];
  const { state, seen } = model.begin(source.map((word) => english.indexOf(word)));
  const most = model.config.context - 1;
  const found = beams > 1 ? beamSearch(model, state, [start], most, end, beams) : [];
  const steps = found.length
    ? generate(model, state, [start], found[0].ids.length, (_, t) => found[0].ids[t], end)
    : greedy(model, state, [start], most, end);
  const across = steps.map((step) => step.seen.blocks.at(-1).cross.weights);
  return {
    source,
    said: steps.map(({ id }) => french[id]),
    ids: { source: source.map((word) => english.indexOf(word)), said: steps.map(({ id }) => id) },
    likeliest: steps.map(({ logits }) =>
      likeliest(logits, 5).map(({ id, probability }) => [french[id], probability]),
    ),
    weights: across[0].map((_, h) => across.map((heads) => heads[h][0])),
    others: found.map(({ ids, score }) => [spell(ids.map((id) => french[id])), score]),
    seen: { encoder: seen, decoder: steps.map((step) => step.seen) },
  };
}
