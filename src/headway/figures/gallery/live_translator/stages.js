// The stages of a translation, each opened on its numbers: nodes to show for a result, the head and
// the place of the word being said.
import { h, show } from "../../core/shared.js";
import { largestOf, strip, table, weightTable } from "./tables.js";

const mean = (heads) => heads[0].map((row, t) => Array.from(row, (_, s) => heads.reduce((sum, of) => sum + of[t][s], 0) / heads.length));
const list = (numbers) => Array.from(numbers, (x) => show(x)).join(", ");

// What the strips of a table show, in numbers: a line for each word and part [parts][words].
function inFull(summary, words, names, parts) {
  const line = (word, name, vector) => h("p", {}, h("b", {}, `${word}, ${name}: `), list(vector));
  const lines = words.flatMap((word, t) => names.map((name, i) => line(word, name, parts[i][t])));
  return h("details", {}, h("summary", {}, summary), ...lines);
}

// The names of the stages, in the order in which a sentence passes them.
export function stageNames() {
  return ["words and alignment", "ids and vectors", "encoder", "cache of the decoder", "from French to English"];
}

// What the stage of this place shows of a result; the first needs no model, the others `seen`.
export function openStage(place, result, head, step) {
  return [alignment, vectors, encoder, cache, across][place](result, head, step);
}

function alignment({ source, said, weights, likeliest }, head, step) {
  const bars = likeliest[step].map(([word, p]) => {
    const bar = h("span", { class: "hw-bar", style: `--to: ${p}` });
    return h("tr", {}, h("th", { scope: "row" }, word), h("td", {}, show(p, 3)), h("td", { class: "hw-bar-cell" }, bar));
  });
  return [
    h("table", { class: "hw-grid hw-bars" }, h("caption", {}, `The five likeliest words in step ${step + 1}`), h("tbody", {}, ...bars)),
    weightTable("Where the decoder looks while it says each word, mean of all heads", "says", said, source, mean(weights), step),
  ];
}

function vectors({ source, ids, seen }) {
  const { embeddings, positions, x } = seen.encoder.input;
  const largest = largestOf(x);
  const parts = [embeddings, positions, x];
  return [
    table(
      `Each word is an id; its row of the embedding and the vector of its place are added: ${x[0].length} numbers`,
      ["word", "id", "row", "place", "sum"],
      source.map((word, s) => [word, ids.source[s], ...parts.map((part) => strip(part[s], largest, "residual"))]),
    ),
    inFull("The sums in numbers", source, ["sum"], [x]),
  ];
}

// The columns of one head in rows of queries, keys or values.
function ofHead(rows, head, heads) {
  const D = rows[0].length / heads;
  return rows.map((row) => row.subarray(head * D, (head + 1) * D));
}

function encoder({ source, seen }, head) {
  const { attention } = seen.encoder.blocks.at(-1);
  const parts = ["queries", "keys", "values"].map((part) => ofHead(attention[part], head, attention.weights.length));
  const largest = largestOf(parts.flat());
  const kinds = ["query", "key", "value"];
  return [
    table(
      `Head ${head}: a query, a key and a value of ${parts[0][0].length} numbers for each word`,
      ["word", ...kinds],
      source.map((word, s) => [word, ...kinds.map((kind, i) => strip(parts[i][s], largest, kind))]),
    ),
    inFull("Queries, keys and values in numbers", source, kinds, parts),
    weightTable(`Head ${head}: what each word takes from the others`, "query", source, source, attention.weights[head]),
  ];
}

function cache({ said, seen }, head, step) {
  const { attention } = seen.decoder[step].blocks.at(-1);
  const heads = attention.weights.length;
  const [keys, values] = [attention.keys, attention.values].map((rows) => ofHead(rows, head, heads));
  const [query] = ofHead(attention.queries, head, heads);
  const largest = largestOf([...keys, ...values, query]);
  const read = ["<start>", ...said.slice(0, -1)];
  return [
    h("p", { class: "hw-live-translator-asks" }, `The query of “${read[step]}”, used now and dropped: `, strip(query, largest, "query")),
    table(
      `Head ${head}, step ${step + 1}: ${step + 1} of ${read.length} slots filled, one of them now`,
      ["read", "key", "value", "score", "weight"],
      read.map((word, t) =>
        t > step
          ? ["empty", "", "", "", ""]
          : [
              word,
              strip(keys[t], largest, "key"),
              strip(values[t], largest, "value"),
              show(attention.scores[head].at(-1)[t]),
              show(attention.weights[head].at(-1)[t]),
            ],
      ),
      step,
    ),
    inFull("Keys and values in numbers", read.slice(0, step + 1), ["key", "value"], [keys, values]),
  ];
}

function across({ source, said, seen }, head, step) {
  const { cross } = seen.decoder[step].blocks.at(-1);
  const heads = cross.weights.length;
  const [keys, values] = [cross.keys, cross.values].map((rows) => ofHead(rows, head, heads));
  const [query] = ofHead(cross.queries, head, heads);
  const largest = largestOf([...keys, ...values, query]);
  return [
    h("p", { class: "hw-live-translator-asks" }, `The query with which “${said[step]}” is found: `, strip(query, largest, "query")),
    table(
      `Head ${head}, step ${step + 1}: keys and values of the English words, made once for the sentence`,
      ["English", "key", "value", "score", "weight"],
      source.map((word, s) => [
        word,
        strip(keys[s], largest, "key"),
        strip(values[s], largest, "value"),
        show(cross.scores[head][0][s]),
        show(cross.weights[head][0][s]),
      ]),
      cross.weights[head][0].indexOf(Math.max(...cross.weights[head][0])),
    ),
    inFull("Keys and values in numbers", source, ["key", "value"], [keys, values]),
  ];
}
