// What the stages share: words and counts as they are read, the measure of vectors, and their numbers in full.
import { show } from "../../../core/shared.js";

export function quoted(word) {
  return `“${word}”`;
}

export function counted(count, name) {
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

// The largest size among the numbers of vectors; 1 if there are none.
export function largestOf(vectors) {
  return vectors.reduce((most, row) => row.reduce((m, x) => Math.max(m, Math.abs(x)), most), 0) || 1;
}

// The place of the largest number.
export function argmax(numbers) {
  return numbers.indexOf(Math.max(...numbers));
}

// A piece with all numbers of some vectors. columns: { name: rows (T, C) }.
export function inFull(caption, words, columns) {
  const line = (word, name, vector) => [`${word}, ${name}`, Array.from(vector, (x) => show(x)).join(", ")];
  const lines = words.flatMap((word, t) => Object.entries(columns).map(([name, rows]) => line(word, name, rows[t])));
  return { full: caption, lines };
}
