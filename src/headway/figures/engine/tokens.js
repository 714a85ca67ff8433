// Byte pair encoding: a text's ids as `headway.text.byte_pair` gives them, and training on a
// short text. A token is a list of bytes; ids 0 … 255 are the bytes in GPT-2's order.

const PIECES =
  /'(?:[stmd]|re|ve|ll)| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

// The pieces of a text, across whose borders nothing is merged; joined, they are the text.
export function piecesOf(text) {
  return text.match(PIECES) ?? [];
}

// The 256 bytes in the order of their ids: first those that Latin-1 prints.
export function bytesInOrder() {
  const all = [...Array(256).keys()];
  const prints = (b) => (b > 0x20 && b < 0x7f) || (b > 0xa0 && b !== 0xad);
  return [...all.filter(prints), ...all.filter((b) => !prints(b))];
}

// A tokenizer of `size` symbols, or fewer if the merges end before. pairs: [left, right, …],
// two ids a merge. Two ways to the same bytes are one symbol.
export function tokenizer(pairs, size) {
  const symbols = bytesInOrder().map((byte) => [byte]);
  const ids = new Map(symbols.map((bytes, id) => [String(bytes), id]));
  const merges = new Map(); // "left,right" → { rank, made }
  for (let i = 0; i < pairs.length && symbols.length < size; i += 2) {
    const bytes = [...symbols[pairs[i]], ...symbols[pairs[i + 1]]];
    if (!ids.has(String(bytes))) ids.set(String(bytes), symbols.push(bytes) - 1);
    merges.set(`${pairs[i]},${pairs[i + 1]}`, { rank: i, made: ids.get(String(bytes)) });
  }
  return { symbols, ids, merges };
}

// A tokenizer of these letters of ASCII, each a token, in the order of their ids.
export function letters(text) {
  const symbols = [...new TextEncoder().encode(text)].map((byte) => [byte]);
  return { symbols, ids: new Map(symbols.map(([byte], id) => [String(byte), id])), merges: new Map() };
}

// The ids of a text, without what the tokenizer has no token for.
export function encode(text, { ids, merges }) {
  const start = (piece) =>
    [...new TextEncoder().encode(piece)]
      .map((byte) => ids.get(String(byte)))
      .filter((id) => id !== undefined);
  return piecesOf(text).flatMap((piece) => mergeByRank(start(piece), merges));
}

// Merges the pair of lowest rank, of equal ones the leftmost, until no pair is in the list.
function mergeByRank(ids, merges) {
  const merged = [...ids];
  for (;;) {
    let best;
    for (let i = 0; i + 1 < merged.length; i++) {
      const merge = merges.get(`${merged[i]},${merged[i + 1]}`);
      if (merge && !(best && best.rank <= merge.rank)) best = { ...merge, i };
    }
    if (!best) return merged;
    merged.splice(best.i, 2, best.made);
  }
}

// `made` in the place of each pair (left, right), from left to right.
function mergePair(ids, left, right, made) {
  const merged = [];
  for (let i = 0; i < ids.length; i++) {
    const here = ids[i] === left && ids[i + 1] === right;
    merged.push(here ? made : ids[i]);
    if (here) i++;
  }
  return merged;
}

// All pairs of neighbors in words of ids, as { left, right, count }, the one to merge first:
// the most frequent, and by the rule for ties "smallest" (ids) or "greatest" (bytes).
function rankedPairs(words, symbols, ties) {
  const counts = new Map();
  for (const word of words)
    for (let i = 0; i + 1 < word.length; i++) {
      const key = `${word[i]},${word[i + 1]}`;
      const [left, right] = [word[i], word[i + 1]];
      counts.set(key, { left, right, count: (counts.get(key)?.count ?? 0) + 1 });
    }
  const byIds = (a, b) => a.left - b.left || a.right - b.right;
  const byBytes = (a, b) =>
    compare(symbols[b.left], symbols[a.left]) || compare(symbols[b.right], symbols[a.right]);
  const rule = ties === "greatest" ? byBytes : byIds;
  return [...counts.values()].sort((a, b) => b.count - a.count || rule(a, b));
}

// The order of two lists of bytes in an alphabet of bytes, where "a" stands before "ab".
function compare(one, other) {
  for (let i = 0; i < one.length && i < other.length; i++)
    if (one[i] !== other[i]) return one[i] - other[i];
  return one.length - other.length;
}

// The training on one text, step by step, until no pair stands twice: at each step the text as
// words of ids, its pairs, and the id that the last merge has made.
export function learn(text, ties, most = 40) {
  const { symbols, ids } = tokenizer([], 256);
  const idOf = (bytes) => ids.get(String(bytes)) ?? ids.set(String(bytes), symbols.push(bytes) - 1).get(String(bytes));
  let words = piecesOf(text).map((piece) => [...new TextEncoder().encode(piece)].map((b) => idOf([b])));
  const steps = [{ words, pairs: rankedPairs(words, symbols, ties), made: null }];
  while (steps.length <= most && steps.at(-1).pairs[0]?.count > 1) {
    const { left, right } = steps.at(-1).pairs[0];
    const made = idOf([...symbols[left], ...symbols[right]]);
    words = words.map((word) => mergePair(word, left, right, made));
    steps.push({ words, pairs: rankedPairs(words, symbols, ties), made });
  }
  return { symbols, steps };
}

// A token as it is shown: white space as signs, and bytes that are no letters in hexadecimal.
export function shown(bytes) {
  const signs = { " ": "␣", "\n": "↵", "\t": "⇥" };
  try {
    const letters = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(new Uint8Array(bytes));
    return letters.replace(/[ \n\t]/g, (space) => signs[space]);
  } catch {
    return bytes.map((byte) => `⟨${byte.toString(16).toUpperCase().padStart(2, "0")}⟩`).join("");
  }
}
