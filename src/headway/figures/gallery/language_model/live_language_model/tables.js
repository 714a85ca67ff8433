// The two pictures beside each other: the next tokens as bars, and the weights of a head as squares.
import { chance, h, show } from "../../../core/shared.js";

// rows: [token, p by the model, q after the filters]
export function bars(caption, rows) {
  const head = ["token", "model", "drawn with", ""].map((name) => h("th", { scope: "col" }, name));
  const line = ([token, p, q]) =>
    h(
      "tr",
      { class: q === 0 && "hw-live-language-model-out" },
      h("th", { scope: "row" }, token),
      h("td", {}, chance(p)),
      h("td", {}, chance(q)),
      h("td", { class: "hw-bar-cell" }, h("span", { class: "hw-bar", style: `--to: ${q}` })),
    );
  const table = h("table", { class: "hw-grid hw-bars hw-live-language-model-next" }, h("caption", {}, caption), h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows.map(line)));
  return h("div", { class: "hw-scroll", tabindex: 0, role: "region", "aria-label": caption }, table);
}

// weights: [T][≤ T], a row for each token that asks; `place` is the row that is marked.
export function pattern(weights, names, place) {
  const T = weights.length;
  const squares = weights.flatMap((line, t) =>
    line.map((w, s) =>
      h("rect", { x: s + 0.04, y: t + 0.04, width: 0.92, height: 0.92, class: "hw-live-language-model-square", style: `--p: ${w.toFixed(3)}` }, h("title", {}, `${names[t]} → ${names[s]}: ${show(w)}`)),
    ),
  );
  const label = "All weights of this head: a row for each token that asks, a column for each that is looked at.";
  return h(
    "svg",
    { class: "hw-live-language-model-pattern", role: "img", viewBox: `0 0 ${T} ${T}`, "aria-label": label },
    ...squares,
    h("rect", { class: "hw-live-language-model-row", x: 0, y: place, width: T, height: 1 }),
  );
}
