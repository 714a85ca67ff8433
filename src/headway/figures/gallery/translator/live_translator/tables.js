// The pieces of a stage as nodes: vectors as strips of small squares, weights as shaded cells.
import { h, show } from "../../../core/shared.js";

// A piece as stages.js describes it.
export function nodeOf(piece) {
  if ("table" in piece) return table(piece);
  if ("weights" in piece) return weightTable(piece);
  return "bars" in piece ? bars(piece) : inFull(piece);
}

// A vector as squares, stronger where the number is larger, with a notch where it is below zero.
// of: whose color, "query", "key", "value", "residual", or ink for "one-hot" and "hidden".
function strip({ vector, largest, of }) {
  const square = (x) => {
    const below = x < 0 ? " hw-live-translator-below" : "";
    return h("i", { class: `hw-live-translator-square${below}`, style: `--size: ${(Math.abs(x) / largest).toFixed(2)}` });
  };
  const long = vector.length > 32 ? " hw-live-translator-long" : "";
  return h("span", { class: `hw-live-translator-strip hw-live-translator-${of}${long}`, "aria-hidden": "true" }, ...Array.from(vector, square));
}

function header(names) {
  return h("thead", {}, h("tr", {}, ...names.map((name) => h("th", { scope: "col" }, h("span", {}, name)))));
}

// Rows whose cells are texts, numbers or vectors; the first cell names the row.
function table({ table: caption, header: names, rows, lit }) {
  const body = rows.map(([first, ...cells], i) =>
    h(
      "tr",
      { class: i === lit && "hw-lit" },
      h("th", { scope: "row" }, first),
      ...cells.map((cell) => h("td", {}, cell.vector ? strip(cell) : cell)),
    ),
  );
  return scrolling(caption, "hw-grid hw-live-translator-table", header(names), h("tbody", {}, ...body));
}

// Numbers [rows][columns] as cells that are shaded by `values`, which are also printed unless others
// are to be `shown`; a row may be shorter than there are columns: what it lacks is `absent`.
function weightTable({ weights: caption, corner, names, columns, values, shown = values, lit, absent = "" }) {
  const cell = (p, x) => h("td", { class: `hw-heat${p < 0.005 ? " hw-zero" : ""}`, style: `--p: ${p}` }, show(x));
  const line = (row, t) =>
    h(
      "tr",
      { class: t === lit && "hw-current" },
      h("th", { scope: "row" }, names[t]),
      ...columns.map((_, s) => (s < row.length ? cell(row[s], shown[t][s]) : h("td", {}, absent))),
    );
  return scrolling(caption, "hw-heat-map hw-live-translator-weights", header([corner, ...columns]), h("tbody", {}, ...Array.from(values, (row, t) => line(row, t))));
}

function bars({ bars: caption, rows }) {
  const line = ([word, p, printed]) =>
    h("tr", {}, h("th", { scope: "row" }, word), h("td", {}, printed), h("td", { class: "hw-bar-cell" }, h("span", { class: "hw-bar", style: `--to: ${p}` })));
  return scrolling(caption, "hw-grid hw-bars", h("tbody", {}, ...rows.map(line)));
}

function scrolling(caption, kind, ...parts) {
  const node = h("table", { class: kind }, h("caption", {}, caption), ...parts);
  return h("div", { class: "hw-scroll", tabindex: 0, role: "region", "aria-label": caption }, node);
}

function inFull({ full: summary, lines }) {
  const line = ([name, numbers]) => h("p", {}, h("b", {}, `${name}: `), numbers);
  return h("details", {}, h("summary", {}, summary), ...lines.map(line));
}
