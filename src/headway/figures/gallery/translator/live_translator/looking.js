// The stages in which words look at each other: attention, its heads, its mask, its cache, and the
// same from French to English.
import { show } from "../../../core/shared.js";
import { argmax, inFull, largestOf, quoted } from "./pieces.js";

// The columns of one head in rows of queries, keys or values.
function ofHead(rows, head, heads) {
  const D = rows[0].length / heads;
  return rows.map((row) => row.subarray(head * D, (head + 1) * D));
}

// What one block computed where a side looks: `name` is "attention" or "cross".
// → queries, mixed and update as rows of all words read, scores and weights [H][T][S'], and keys and
// values as they are now. `of(part, head)` are the columns of a head.
function lookOf({ runs, rows }, block, name) {
  const looks = runs.map((run) => run.blocks[block][name]);
  const each = (part) => looks[0][part].map((_, h) => looks.flatMap((look) => look[part][h]));
  const { keys, values } = looks.at(-1);
  const found = { queries: looks.flatMap((look) => look.queries), keys, values };
  const parts = { scores: each("scores"), weights: each("weights"), update: rows((run) => run.blocks[block][name].update) };
  const heads = parts.weights.length;
  return { ...parts, heads, mixed: looks.flatMap((look) => look.mixed), of: (part, head) => ofHead(found[part], head, heads) };
}

// “cats” looks most at “small” (0.93), by a row of weights.
function most(word, names, weights) {
  const s = argmax(Array.from(weights));
  return `${quoted(word)} looks most at ${quoted(names[s])} (${show(weights[s])})`;
}

// Rows of one kind as cells, measured by their largest number.
function strips(rows, of) {
  const largest = largestOf(rows);
  return rows.map((vector) => ({ vector, of, largest }));
}

export function attention(side, { block, head }) {
  const { words, lit, last } = side;
  const look = lookOf(side, block, "attention");
  const [queries, keys, values] = ["queries", "keys", "values"].map((part) => look.of(part, head));
  const [Q, K, V] = [strips(queries, "query"), strips(keys, "key"), strips(values, "value")];
  const grid = { corner: "query", names: words, columns: words, lit };
  return {
    says: `${most(words[last], words, look.weights[head][last])}.`,
    pieces: [
      {
        ...{ table: `A query, a key and a value of ${queries[0].length} numbers for each word, each kind by its largest`, lit },
        ...{ header: ["word", "query", "key", "value"], rows: words.map((word, t) => [word, Q[t], K[t], V[t]]) },
      },
      inFull("Queries, keys and values in numbers", words, { query: queries, key: keys, value: values }),
      { weights: `Scores: each query with each key, over √${queries[0].length}`, ...grid, values: look.weights[head], shown: look.scores[head] },
      { weights: "Weights: the softmax of each row of scores", ...grid, values: look.weights[head] },
    ],
  };
}

export function heads(side, { block, look: chosen }) {
  const { words, lit, last } = side;
  const look = lookOf(side, block, "attention");
  const { values, of } = shownOf(look.weights, chosen);
  const looks = look.weights.map((rows, h) => `head ${h + 1} at ${quoted(words[argmax(Array.from(rows[last]))])}`);
  const [means, added] = [strips(look.mixed, "value"), strips(look.update, "residual")];
  return {
    says: `Where ${quoted(words[last])} looks most: ${looks.join(", ")}.`,
    pieces: [
      { weights: `Where each word looks, ${of}`, corner: "query", names: words, columns: words, values, lit },
      {
        ...{ table: `The means of ${look.heads} heads side by side; times W_O they are added to the stream`, lit },
        header: ["word", "means of values", "added"],
        rows: words.map((word, t) => [word, means[t], added[t]]),
      },
      inFull("The same in numbers", words, { mean: look.mixed, added: look.update }),
    ],
  };
}

export function mask(side, { block, head, step }, { said }) {
  const { words, lit } = side;
  const look = lookOf(side, block, "attention");
  const read = ["<start>", ...said.slice(0, -1)];
  const later = read.length - words.length;
  const hidden = later ? `the ${later} that come later have no key yet` : "none comes later";
  return {
    says: `${quoted(words[step])} may look at ${words.length} of ${read.length} words; ${hidden}.`,
    pieces: [
      {
        ...{ weights: "Scores; −∞ where the mask hides a word", corner: "query", names: words, columns: read, lit, absent: "−∞" },
        ...{ values: look.weights[head], shown: look.scores[head] },
      },
    ],
  };
}

export function cache(side, { block, head, step }, { said }) {
  const look = lookOf(side, block, "attention");
  const [queries, keys, values] = ["queries", "keys", "values"].map((part) => look.of(part, head));
  const [K, V] = [strips(keys, "key"), strips(values, "value")];
  const read = ["<start>", ...said.slice(0, -1)];
  const [scores, weights] = [look.scores, look.weights].map((parts) => parts[head].at(-1));
  const filled = side.words;
  return {
    says: `Step ${step + 1}: ${filled.length} of ${read.length} slots filled, one of them now; ${most(filled[step], filled, weights)}.`,
    pieces: [
      { table: "Used now and dropped", header: ["word", "query"], rows: [[filled[step], strips(queries, "query")[step]]] },
      {
        ...{ table: "Kept for all steps to come", header: ["read", "key", "value", "score", "weight"], lit: step },
        rows: read.map((word, t) => (t > step ? ["empty", "", "", "", ""] : [word, K[t], V[t], show(scores[t]), show(weights[t])])),
      },
      inFull("Keys and values in numbers", filled, { key: keys, value: values }),
    ],
  };
}

export function crossAttention(side, { block, head, step }, { source, said }) {
  const look = lookOf(side, block, "cross");
  const [queries, keys, values] = ["queries", "keys", "values"].map((part) => look.of(part, head));
  const [K, V] = [strips(keys, "key"), strips(values, "value")];
  const [scores, weights] = [look.scores, look.weights].map((parts) => parts[head][step]);
  return {
    says: `On the way to ${quoted(said[step])}, ${most(side.words[step], source, weights)}.`,
    pieces: [
      { table: "The query of this step", header: ["read", "query"], rows: [[side.words[step], strips(queries, "query")[step]]] },
      {
        ...{ table: "Keys and values of the English words, made once for the sentence", lit: argmax(Array.from(weights)) },
        header: ["English", "key", "value", "score", "weight"],
        rows: source.map((word, s) => [word, K[s], V[s], show(scores[s]), show(weights[s])]),
      },
      inFull("Keys and values in numbers", source, { key: keys, value: values }),
    ],
  };
}

// Weights [H][T][S] of one block for all words said; the page's own translation has those of the last.
export function across({ weights, seen }, block) {
  if (!seen) return weights;
  const runs = seen.decoder.map((run) => run.blocks[block].cross.weights);
  return runs[0].map((_, h) => runs.map((heads) => heads[h][0]));
}

// One head's rows of weights, or the mean of all heads where `look` is below zero.
function shownOf(weights, look) {
  if (look >= 0) return { values: weights[look], of: `weights of head ${look + 1}` };
  const mean = weights[0].map((row, t) => Array.from(row, (_, s) => weights.reduce((sum, head) => sum + head[t][s], 0) / weights.length));
  return { values: mean, of: "mean of the heads" };
}

export function alignment(_, { block, step, look }, result) {
  const { source, said } = result;
  const { values, of } = shownOf(across(result, block), look);
  const row = Array.from(values[step]);
  return {
    says: `While the decoder says ${quoted(said[step])}, it looks most at ${quoted(source[argmax(row)])} (${show(Math.max(...row))}).`,
    pieces: [{ weights: `The alignment, ${of}: where the decoder looks for each word`, corner: "says", names: said, columns: source, values, lit: step }],
  };
}
