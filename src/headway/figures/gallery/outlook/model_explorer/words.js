// How the page names things: blocks and heads count from 1, as in the book.
import { show } from "../../../core/shared.js";

export function quoted(piece) {
  return `“${piece}”`;
}

export function percent(share) {
  return `${show(100 * share, share < 0.1 ? 1 : 0)} %`;
}

export function counted(number) {
  return number.toLocaleString("en-US");
}

export function headName([layer, head]) {
  return `head ${head + 1} of block ${layer + 1}`;
}

// The name of a part that can be switched off, "3", "3.attention", "3.feed-forward" or "3.h5".
export function partName(part) {
  const [layer, what] = part.split(".");
  const block = `block ${Number(layer) + 1}`;
  if (!what) return block;
  return what.startsWith("h") ? headName([Number(layer), Number(what.slice(1))]) : `${what} of ${block}`;
}

// Several names, "a, b and c".
export function listed(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
}

export function sentenced(words) {
  return words[0].toUpperCase() + words.slice(1);
}

// Whether a part works: neither it nor what it belongs to is switched off.
export function works(off, layer, what) {
  const within = what.startsWith("h") ? "attention" : what;
  return ![`${layer}`, `${layer}.${within}`, `${layer}.${what}`].some((part) => off.includes(part));
}

// A size in memory, "1.4 MB".
export function bytes(count) {
  const units = ["bytes", "kB", "MB", "GB"];
  const unit = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), 3);
  return `${show(count / 1000 ** unit, unit ? 1 : 0)} ${units[unit]}`;
}

// A time in the unit that suits the longest of several, "24 ms" or "2.2 s".
export function duration(ms, longest) {
  return longest < 1000 ? `${show(ms, 0)} ms` : `${show(ms / 1000, 1)} s`;
}

// After which layer of the stream the answer first leads, and from which on it always leads, by its
// rank after each.
export function leads(ranks) {
  const behind = ranks.map((rank) => rank > 1);
  return { first: ranks.indexOf(1), steady: behind.lastIndexOf(true) + 1 };
}
