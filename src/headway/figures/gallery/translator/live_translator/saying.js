// The stages on the way out: from one score for each word to the word that is chosen.
import { chance, show } from "../../../core/shared.js";
import { likeliest } from "../../../engine/search.js";
import { quoted } from "./pieces.js";

const ROWS = 8; // words of the vocabulary that a table shows

export function logits({ runs, symbols }) {
  const scores = runs.at(-1).logits;
  const order = Array.from(scores, (_, id) => id).sort((a, b) => scores[b] - scores[a]);
  const all = order.map((id) => `${symbols[id]} ${show(scores[id])}`).join(", ");
  return {
    says: `${scores.length} scores, one for each word; the highest, ${show(scores[order[0]])}, is that of ${quoted(symbols[order[0]])}.`,
    pieces: [
      { table: "The highest scores", header: ["word", "logit"], rows: order.slice(0, ROWS).map((id) => [symbols[id], show(scores[id])]), lit: 0 },
      { full: `All ${scores.length} scores, the highest first`, lines: [["logits", all]] },
    ],
  };
}

export function softmaxed({ runs, symbols }) {
  const scores = runs.at(-1).logits;
  const best = likeliest(scores, scores.length);
  const highest = scores[best[0].id];
  const total = scores.reduce((sum, x) => sum + Math.exp(x - highest), 0);
  const row = ({ id, probability }) => [symbols[id], show(scores[id]), show(Math.exp(scores[id] - highest), 4), show(probability, 4)];
  const others = best.slice(ROWS);
  const rest = others.reduce((sum, { probability }) => sum + probability, 0);
  return {
    says: `Divided by their sum, ${show(total, 3)}, the powers of e become shares: ${chance(best[0].probability)} for ${quoted(symbols[best[0].id])}.`,
    pieces: [
      {
        ...{ table: "e to each logit, less the highest so that nothing overflows, and its share", lit: 0 },
        header: ["word", "logit", "e to it", "share"],
        rows: [...best.slice(0, ROWS).map(row), [`${others.length} others`, "", show(rest * total, 4), show(rest, 4)], ["sum", "", show(total, 4), "1"]],
      },
    ],
  };
}

export function likeliestWords(_, { step }, { said, likeliest: five }) {
  const [best, next] = five[step].map(([word, p]) => `${word} ${chance(p)}`);
  const rows = five.map((words, t) => [said[t], ...words.map(([word, p]) => `${word} ${chance(p)}`)]);
  return {
    says: `Step ${step + 1}: ${best}${next ? `, then ${next}` : ""}.`,
    pieces: [
      { bars: `The five likeliest words in step ${step + 1}`, rows: five[step].map(([word, p]) => [word, p, chance(p)]) },
      { table: "The five likeliest words in each step", header: ["says", ...five[0].map((_, i) => i + 1)], rows, lit: step },
    ],
  };
}

export function choice({ symbols }, { step }, { said, ids, seen, others }) {
  const chances = seen.decoder.map(({ logits: scores }, t) => {
    const best = likeliest(scores, scores.length);
    const place = best.findIndex(({ id }) => id === ids.decoder[t + 1]);
    return { p: best[place].probability, place, first: symbols[best[0].id] };
  });
  let sum = 0;
  const rows = chances.map(({ p, place }, t) => [said[t], chance(p), place + 1, show((sum += Math.log(p)))]);
  const { p, place, first } = chances[step];
  const rank = place ? `number ${place + 1}; the likeliest is ${quoted(first)}` : "the likeliest";
  const beams = others.map(([text, score]) => [text, show(score, 3)]);
  return {
    says: `Step ${step + 1} chooses ${quoted(said[step])} with probability ${chance(p)}, ${rank}.`,
    pieces: [
      { table: "What is chosen, its place among the likeliest, and ln P of the sentence so far", header: ["word", "p", "place", "ln P"], rows, lit: step },
      ...(beams.length ? [{ table: "The beams that ended", header: ["sentence", "ln P / length"], rows: beams, lit: 0 }] : []),
    ],
  };
}
