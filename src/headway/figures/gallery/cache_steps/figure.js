// A cache that fills: each press reads one more token, and adds its key and its value, or
// computes all of them again.
// data: { tokens: [T], prompt, keys, values, queries: [L][H][T][D], weights: [L][H][t][t + 1],
//         written: [T][token, probability], layer, head, steps }
import { h, labelled, select, show, stageOf, voice } from "../../core/shared.js";

// What happens to slot t in the step that fills `length` slots; the first one reads the prompt.
export function statusOf(t, length, prompt, cached) {
  if (t >= length) return "";
  if (length === prompt || t === length - 1) return "computed";
  return cached ? "kept" : "computed again";
}

// Rows computed in the step that fills `length` slots, and up to it with the cache and without.
export function rowsComputed(length, prompt, cached) {
  const all = (n) => (n * (n + 1)) / 2;
  const now = cached && length > prompt ? 1 : length;
  return [now, length, all(length) - all(prompt - 1)];
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { tokens, prompt, keys, values, queries, weights, written, ...first } = model.get("data");
    const T = tokens.length;
    const state = { layer: first.layer, head: first.head, steps: first.steps, cached: true, row: null };
    const group = `hw-cache-steps-${Math.random().toString(36).slice(2)}`;
    const width = keys[0][0][0].length;

    const press = (name, click) => h("button", { type: "button", class: "hw-word-button", click }, name);
    const nextButton = press("Next step", () => move(1));
    const backButton = press("Step back", () => move(-1));
    const way = (label, cached) =>
      h(
        "label",
        { class: "hw-choice" },
        h("input", { type: "radio", name: group, checked: cached, input: () => update({ cached }) }),
        label,
      );
    const named = (what, n) => Array.from({ length: n }, (_, i) => `${what} ${i + 1}`);
    const layerSelect = select(named("block", keys.length), state.layer, (layer) => update({ layer }));
    const headSelect = select(named("head", keys[0].length), state.head, (head) => update({ head }));

    const swatches = () => Array.from({ length: width }, () => h("span", { class: "hw-cache-steps-number" }));
    const strip = (cells) => h("span", { class: "hw-cache-steps-strip", "aria-hidden": "true" }, ...cells);
    const rows = tokens.map((token, t) => {
      const parts = { key: swatches(), value: swatches() };
      const button = h(
        "button",
        { type: "button", class: "hw-word-button", click: () => update({ row: t }), keydown },
        token,
      );
      const empty = h("span", { class: "hw-cache-steps-empty" }, "empty");
      const status = h("td", {});
      const bar = h("span", { class: "hw-bar" });
      const weight = h("td", { class: "hw-cache-steps-weight" });
      const line = h(
        "tr",
        {},
        h("th", { scope: "row" }, button, empty),
        status,
        h("td", { class: "hw-cache-steps-key" }, strip(parts.key)),
        h("td", { class: "hw-cache-steps-value" }, strip(parts.value)),
        weight,
        h("td", { class: "hw-bar-cell" }, bar),
      );
      return { line, button, empty, status, bar, weight, ...parts };
    });
    const caption = h("caption", {});
    const table = h(
      "table",
      { class: "hw-grid hw-cache-steps" },
      caption,
      h("thead", {}, h("tr", {}, ...["token", "in this step", "key", "value", "weight", ""].map((name) =>
        name ? h("th", { scope: "col" }, name) : h("td", {}),
      ))),
      h("tbody", {}, ...rows.map(({ line }) => line)),
    );
    const queryCells = swatches();
    const query = h("p", { class: "hw-cache-steps-query" });
    const sentence = h("p", { class: "hw-sentence" });
    const detail = h("p", { class: "hw-doubt" });
    const terms = ["rows computed in this step", "so far, with the cache", "so far, without"];
    const reading = Object.fromEntries(terms.map((term) => [term, h("dd", { "data-reading": term })]));

    root.replaceChildren(
      h("div", { class: "hw-controls" }, nextButton, backButton, labelled("Block", layerSelect), labelled("Head", headSelect)),
      h("fieldset", { class: "hw-controls" }, h("legend", {}, "Decode"), way("with the cache", true), way("without", false)),
      sentence,
      query,
      h("div", { class: "hw-scroll", tabindex: 0, role: "region", "aria-label": "Keys and values held" }, table),
      detail,
      h("dl", { class: "hw-readings hw-cache-steps-readings" }, ...terms.flatMap((term) => [h("dt", {}, term), reading[term]])),
    );
    const say = voice(root);
    draw();

    function keydown(event) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const row = Math.min(Math.max(rows.findIndex(({ button }) => button === event.target) + step, 0), prompt + state.steps - 1);
      update({ row });
      rows[row].button.focus();
    }

    function move(step) {
      // A disabled button loses the focus, so both stay pressable and stop at the ends.
      update({ steps: Math.min(Math.max(state.steps + step, 0), T - prompt), row: null });
    }

    function update(change) {
      Object.assign(state, change);
      draw();
      say("row" in change && change.row != null ? detail.textContent : sentence.textContent);
    }

    function paint(cells, numbers, largest) {
      cells.forEach((cell, d) => {
        const x = numbers[d];
        cell.style.setProperty("--size", Math.abs(x) / largest);
        cell.classList.toggle("hw-cache-steps-below", x < 0);
      });
    }

    function draw() {
      const { layer, head, steps, cached } = state;
      const length = prompt + steps;
      const latest = length - 1;
      const [K, V, Q] = [keys, values, queries].map((of) => of[layer][head]);
      const largest = Math.max(...[K, V, Q].flat(2).map(Math.abs));
      const given = weights[layer][head][latest];
      const at = state.row == null || state.row > latest ? latest : state.row;
      rows.forEach((row, t) => {
        const held = t <= latest;
        row.button.hidden = !held;
        row.empty.hidden = held;
        row.button.setAttribute("aria-pressed", t === at);
        const status = statusOf(t, length, prompt, cached);
        row.line.classList.toggle("hw-lit", status.startsWith("computed"));
        row.status.textContent = status;
        const none = Array(width).fill(0);
        paint(row.key, held ? K[t] : none, largest);
        paint(row.value, held ? V[t] : none, largest);
        row.weight.textContent = held ? show(given[t]) : "";
        row.bar.style.setProperty("--to", held ? given[t] : 0);
      });
      caption.textContent = `Block ${layer + 1}, head ${head + 1}: ${length} of ${T} slots filled`;
      paint(queryCells, Q[latest], largest);
      query.replaceChildren(`Query of “${tokens[latest]}”, used now and dropped: `, strip(queryCells));
      const [token, p] = written[latest];
      const read = steps ? `Step ${steps}: read “${tokens[latest]}”` : `The prompt: read ${prompt} tokens at once`;
      sentence.textContent = `${read}, write “${token}” (probability ${show(p)}).`;
      const list = (numbers) => numbers.map((x) => show(x)).join(", ");
      detail.textContent = `Key of “${tokens[at]}”: ${list(K[at])}. Value: ${list(V[at])}.`;
      const shown = rowsComputed(length, prompt, cached);
      terms.forEach((term, i) => (reading[term].textContent = shown[i]));
      nextButton.setAttribute("aria-disabled", steps === T - prompt);
      backButton.setAttribute("aria-disabled", steps === 0);
    }
  },
};
