// The stages on the way in, and the rows that run through the blocks.
import { show } from "../../../core/shared.js";
import { counted, inFull, largestOf, quoted } from "./pieces.js";

const vectors = (rows, of) => rows.map((vector) => ({ vector, of, largest: largestOf(rows) }));
const lengthOf = (row) => Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));

// A table with a vector of each kind for each word, and the numbers below it.
// columns: { name: rows (T, C) }, all measured by the largest number among them.
function vectorTable(caption, { words, lit }, columns) {
  const largest = largestOf(Object.values(columns).flat());
  const names = Object.keys(columns);
  return [
    {
      ...{ table: caption, header: ["word", ...names], lit },
      rows: words.map((word, t) => [word, ...names.map((name) => ({ vector: columns[name][t], of: "residual", largest }))]),
    },
    inFull("The same in numbers", words, columns),
  ];
}

export function text({ side, words }, { step }, { source }) {
  const written = side === "encoder" ? source.slice(0, -1) : words.slice(1);
  const count = [...written.join(" ")].length;
  return {
    says: written.length ? `${quoted(written.join(" "))}: ${counted(count, "character")}, cut at the spaces.` : `Step ${step + 1}: nothing is written yet.`,
    pieces: [
      {
        ...{ table: "Characters are numbers for the computer (Unicode)", header: ["word", "characters"] },
        rows: written.map((word) => [word, [...word].map((c) => c.codePointAt(0)).join(" ")]),
      },
    ],
  };
}

export function tokens({ side, words, ids, symbols, lit, last }) {
  const added = side === "encoder" ? "<end> is put behind the words" : "<start> comes first";
  return {
    says: `${quoted(words[last])} has the id ${ids[last]} of ${symbols.length}; ${added}.`,
    pieces: [{ table: "Words and their ids", header: ["word", "place", "id"], lit, rows: words.map((word, t) => [word, t, ids[t]]) }],
  };
}

export function oneHot({ words, ids, symbols, lit, last }) {
  const rows = ids.map((id) => Float32Array.from(symbols, (_, i) => Number(i === id)));
  const drawn = vectors(rows, "one-hot");
  return {
    says: `The row of ${quoted(words[last])} is 1 at place ${ids[last]}, and 0 at the ${symbols.length - 1} others.`,
    pieces: [
      {
        ...{ table: `One row for each word, one place for each of ${symbols.length} words`, header: ["word", "1 at", "row"], lit },
        rows: words.map((word, t) => [word, ids[t], drawn[t]]),
      },
    ],
  };
}

export function embedding(side) {
  const rows = side.rows((run) => run.input.embeddings);
  return {
    says: `${quoted(side.words[side.last])} picks row ${side.ids[side.last]} of ${side.symbols.length} from the table: ${rows[0].length} numbers.`,
    pieces: vectorTable("The row of each word; a notch marks what is below zero", side, { embedding: rows }),
  };
}

export function position(side) {
  const columns = {
    embedding: side.rows((run) => run.input.embeddings),
    "its place": side.rows((run) => run.input.positions),
    sum: side.rows((run) => run.input.x),
  };
  const [row, place, sum] = Object.values(columns).map((rows) => show(lengthOf(rows[side.last])));
  return {
    says: `The row of ${quoted(side.words[side.last])} has the length ${row}, the vector of place ${side.last} the length ${place}, their sum ${sum}.`,
    pieces: vectorTable("The vector of each place is added to the row of the word there", side, columns),
  };
}

// How the rows change within one block.
export function stream(side, { block }) {
  const names = side.side === "encoder" ? ["attention", "feed-forward"] : ["attention", "cross-attention", "feed-forward"];
  const stages = ["before", ...names.map((name) => `after ${name}`)];
  const columns = Object.fromEntries(stages.map((name, i) => [name, side.rows((run) => run.blocks[block].stream[i])]));
  const lengths = stages.map((name) => `${show(lengthOf(columns[name][side.last]))} ${name}`);
  return {
    says: `The length of the row of ${quoted(side.words[side.last])}: ${lengths.join(", ")}.`,
    pieces: vectorTable(`The stream in block ${block + 1}: each sub-layer changes the rows`, side, columns),
  };
}

// How the rows change from block to block.
export function stack(side) {
  const depth = side.runs[0].blocks.length;
  const columns = { "at first": side.rows((run) => run.input.x) };
  for (let i = 0; i < depth; i++) columns[`block ${i + 1}`] = side.rows((run) => run.blocks[i].x);
  const name = side.side === "encoder" ? "memory" : "to the logits";
  columns[name] = side.rows((run) => run.memory ?? run.x);
  const [rows, blocks] = [counted(side.words.length, "row"), counted(depth, "block")];
  const end = side.side === "encoder" ? "what comes out is the memory" : "the last becomes the next word";
  return {
    says: `${rows} of ${columns[name][0].length} numbers through ${blocks}: ${end}.`,
    pieces: vectorTable("The row of each word behind each block", side, columns),
  };
}

export function feedForward(side, { block }) {
  const hidden = side.rows((run) => run.blocks[block].feedForward.hidden);
  const update = side.rows((run) => run.blocks[block].feedForward.update);
  const above = hidden.map((row) => row.filter((x) => x > 0).length);
  const drawn = [vectors(hidden, "hidden"), vectors(update, "residual")];
  return {
    says: `Of the ${hidden[0].length} inner numbers of ${quoted(side.words[side.last])}, ${above[side.last]} are above zero.`,
    pieces: [
      {
        ...{ table: `Block ${block + 1}: ${hidden[0].length} inner numbers, and what is added to the row`, lit: side.lit },
        header: ["word", "above zero", "inner numbers", "added"],
        rows: side.words.map((word, t) => [word, above[t], drawn[0][t], drawn[1][t]]),
      },
      inFull("The same in numbers", side.words, { inner: hidden, added: update }),
    ],
  };
}
