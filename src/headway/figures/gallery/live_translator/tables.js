// Tables of a translation's numbers: weights as shaded cells, vectors as strips of small squares.
import { h, show } from "../../core/shared.js";

// A vector as squares, stronger where the number is larger, with a line across where it is below
// zero. kind: whose color, "query", "key", "value" or "residual".
export function strip(numbers, largest, kind) {
  const square = (x) => {
    const below = x < 0 ? " hw-live-translator-below" : "";
    return h("i", { class: `hw-live-translator-square${below}`, style: `--size: ${(Math.abs(x) / largest).toFixed(2)}` });
  };
  return h("span", { class: `hw-live-translator-strip hw-live-translator-${kind}`, "aria-hidden": "true" }, ...Array.from(numbers, square));
}

// The largest size among the numbers of vectors; 1 if there are none.
export function largestOf(vectors) {
  return vectors.reduce((most, row) => row.reduce((m, x) => Math.max(m, Math.abs(x)), most), 0) || 1;
}

// A table whose cells are nodes or texts; the first of each row is its header.
export function table(caption, header, rows, lit = -1) {
  const body = rows.map(([first, ...cells], i) =>
    h(
      "tr",
      { class: i === lit && "hw-lit" },
      h("th", { scope: "row" }, first),
      ...cells.map((cell) => h("td", {}, cell)),
    ),
  );
  return scrolling(
    caption,
    h(
      "table",
      { class: "hw-grid hw-live-translator-table" },
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, ...header.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...body),
    ),
  );
}

// Weights [rows][columns] as shaded cells; a row may be shorter than there are columns.
export function weightTable(caption, corner, rowNames, columnNames, weights, lit = -1) {
  const cell = (p) => h("td", { class: `hw-heat${p < 0.005 ? " hw-zero" : ""}`, style: `--p: ${p}` }, show(p));
  const line = (row, t) =>
    h(
      "tr",
      { class: t === lit && "hw-current" },
      h("th", { scope: "row" }, rowNames[t]),
      ...columnNames.map((_, s) => (s < row.length ? cell(row[s]) : h("td", {}, ""))),
    );
  return scrolling(
    caption,
    h(
      "table",
      { class: "hw-heat-map" },
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, ...[corner, ...columnNames].map((name) => h("th", { scope: "col" }, h("span", {}, name))))),
      h("tbody", {}, ...weights.map((row, t) => line(Array.from(row), t))),
    ),
  );
}

function scrolling(name, node) {
  return h("div", { class: "hw-scroll", tabindex: 0, role: "region", "aria-label": name }, node);
}
