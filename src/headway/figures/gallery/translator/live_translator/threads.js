// The picture of a translation, as threads.py draws it: two sentences, and threads between their words.
import { h, set } from "../../../core/shared.js";

const LYING = { width: 1000, height: 262, size: 36, words: [24, 238], threads: [48, 208], thick: 15 };
const STANDING = { width: 360, height: 40, size: 20, words: [132, 228], threads: [140, 220], thick: 12 };

function lettersOf(word) {
  return word === "<end>" ? "." : word;
}

function widthOf(word) {
  const share = (c) => ("ijlftrI'.,".includes(c) ? 0.32 : "mwMW".includes(c) ? 0.9 : 0.56);
  return [...lettersOf(word)].reduce((sum, c) => sum + share(c), 0);
}

// The middles of words that lie in a row, and the size of their type.
function centersOf(words, form) {
  const widths = words.map(widthOf);
  const sum = widths.reduce((a, b) => a + b, 0);
  const gaps = words.length - 1;
  const size = Math.min(form.size, (form.width - 8) / (sum + 0.5 * gaps + 0.01));
  const gap = Math.min(2.4 * size, (form.width - 8 - sum * size) / Math.max(gaps, 1));
  let x = (form.width - sum * size - gap * gaps) / 2;
  const places = widths.map((width) => {
    x += width * size + gap;
    return x - gap - (width * size) / 2;
  });
  return { places, size };
}

function rowsOf(words, most, form) {
  return { places: words.map((_, i) => ((most - words.length) / 2 + i + 0.5) * form.height), size: form.size };
}

// Which threads there are: { t, from, to, wide }, those that meet at a word side by side.
function threadsOf(source, said, weights, thick) {
  const drawn = weights.flatMap((row, t) => row.flatMap((weight, s) => (weight >= 0.03 ? [{ t, s, wide: thick * weight }] : [])));
  const beginning = (places, end) => places.map((at, i) => at - drawn.filter((one) => one[end] === i).reduce((sum, { wide }) => sum + wide, 0) / 2);
  const [begins, ends] = [beginning(source, "s"), beginning(said, "t")];
  return drawn.map(({ t, s, wide }) => {
    begins[s] += wide;
    ends[t] += wide;
    return { t, wide, from: begins[s] - wide / 2, to: ends[t] - wide / 2 };
  });
}

// Where everything in the picture is. told: { source, said, weights: [T][S] }.
// → { width, height, sentences: [[{ letters, size, wide, x, y }]] of source and said, lines: [{ t, d, wide }] }
export function layout({ source, said, weights }, standing) {
  const form = standing ? STANDING : LYING;
  const most = Math.max(source.length, said.length);
  const placed = [source, said].map((words) => (standing ? rowsOf(words, most, form) : centersOf(words, form)));
  const at = (along, across) => (standing ? { x: along, y: across } : { x: across, y: along });
  const point = (along, across) => Object.values(at(along, across)).map((x) => Number(x.toFixed(1))).join(" ");
  // Those of the end are seen where a reader points at it, and take no room from others.
  const spoken = weights.map((row, t) => (said[t] === "<end>" ? [] : row));
  const ending = weights.map((row, t) => (said[t] === "<end>" ? row : []));
  const lines = [spoken, ending].flatMap((some) => threadsOf(placed[0].places, placed[1].places, some, form.thick));
  const [near, far] = form.threads;
  const middle = (near + far) / 2;
  return {
    width: form.width,
    height: standing ? most * form.height : form.height,
    sentences: [source, said].map((words, side) =>
      words.map((word, i) => ({ letters: lettersOf(word), size: placed[side].size, wide: widthOf(word) * placed[side].size, ...at(form.words[side], placed[side].places[i]) })),
    ),
    lines: lines.map(({ t, wide, from, to }) => {
      const [start, ...others] = [[near, from], [middle, from], [middle, to], [far, to]].map((one) => point(...one));
      return { t, wide, d: `M${start}C${others.join(" ")}` };
    }),
  };
}

// The picture with a button for each word said. says(t) is its name; onPoint(t) is called where a
// reader points at a word or leaves it (null), onPress(t) where one is pressed.
function drawn(told, standing, { says, onPoint, onPress }) {
  const { width, height, sentences, lines } = layout(told, standing);
  const [asked, answered] = sentences;
  const ends = standing ? ["hw-end", "hw-start"] : ["", ""];
  const written = ({ letters, x, y, size }, side) => h("text", { class: `hw-big ${ends[side]}`, x, y, style: `font-size: ${size}px` }, letters);
  const run = (word, t) => {
    const own = lines.filter((line) => line.t === t);
    const paths = own.map(({ d, wide }) => h("path", { class: "hw-line hw-of-value", pathLength: 1, "stroke-width": wide, d }));
    return h("g", { class: `hw-thread${word === "<end>" ? " hw-of-end" : ""}`, style: `--t: ${t}`, "data-t": t }, ...paths);
  };
  const answer = (one, t) => {
    const [wide, tall] = [Math.max(one.wide, one.size / 2), 1.6 * one.size];
    const box = { x: standing ? one.x - 10 : one.x - wide / 2 - 10, y: one.y - tall / 2, width: wide + 20, height: tall, rx: 7 };
    const key = (event) => {
      if (![" ", "Enter"].includes(event.key)) return;
      event.preventDefault();
      onPress(t);
    };
    const listens = { click: () => onPress(t), keydown: key, pointerenter: () => onPoint(t), pointerleave: () => onPoint(null), focus: () => onPoint(t), blur: () => onPoint(null) };
    return h("g", { class: "hw-answer", role: "button", tabindex: 0, "aria-pressed": "false", "aria-label": says(t), style: `--t: ${t}`, "data-t": t, "data-end": told.said[t] === "<end>", ...listens }, h("rect", box), written(one, 1));
  };
  const svg = h(
    "svg",
    { class: standing ? "hw-upright" : null, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "The translation; each word says where its threads lead" },
    h("g", { class: "hw-asked" }, ...asked.map((one) => written(one, 0))),
    ...told.said.map(run),
    ...answered.map(answer),
  );
  return svg;
}

// The pictures in `node`: → { show(told), light(t, pressed) }.
export function threadPictures(node, listens) {
  return {
    show(told) {
      node.style.setProperty("--count", told.said.length);
      node.replaceChildren(...[false, true].map((standing) => drawn(told, standing, listens)));
    },
    // Lights the threads of the word said at t, or none; the one at `pressed` is marked.
    light(t, pressed) {
      node.classList.toggle("hw-some", t !== null);
      for (const part of node.querySelectorAll("[data-t]")) {
        part.classList.toggle("hw-lit", Number(part.dataset.t) === t);
        if (part.classList.contains("hw-answer")) set(part, { "aria-pressed": Number(part.dataset.t) === pressed });
      }
    },
  };
}
