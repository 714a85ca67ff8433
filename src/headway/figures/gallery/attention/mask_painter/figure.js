// A mask to paint: who may look at whom. Weights are the softmax over what is visible; the next
// word follows from what is mixed.
// data: { tokens: [T], scores: [T][T], base: [T][V], says: [T][V], symbols: [V],
//         masks: [[name, [T][T]]], start }
import { addressed, bits } from "../../../core/address.js";
import { walk } from "../../../core/grid.js";
import { dragged } from "../../../core/handles.js";
import { h, show, stageOf, voice } from "../../../core/shared.js";

// The softmax of the scores that are visible; zeros if none is.
export function softmax(scores, visible) {
  const seen = scores.filter((_, s) => visible[s]);
  const top = Math.max(...seen);
  const parts = scores.map((x, s) => (visible[s] ? Math.exp(x - top) : 0));
  const sum = parts.reduce((a, b) => a + b, 0);
  return parts.map((x) => (sum > 0 ? x / sum : 0));
}

// The likeliest next word and its probability: the softmax of the word's own logits [V] and the
// mixture of what the values say [T][V].
export function likeliest(base, weights, says) {
  const logits = base.map((own, v) => own + weights.reduce((sum, w, s) => sum + w * says[s][v], 0));
  const p = softmax(logits, logits.map(() => true));
  const best = p.indexOf(Math.max(...p));
  return [best, p[best]];
}

// The cells from one to another, in as straight a line as there is: a fast pointer skips some.
export function cellsBetween([t, s], [row, column]) {
  const count = Math.max(Math.abs(row - t), Math.abs(column - s));
  const step = (from, to, i) => Math.round(from + ((to - from) * i) / (count || 1));
  return Array.from({ length: count + 1 }, (_, i) => [step(t, row, i), step(s, column, i)]);
}

// A weight, whose 0 before the point is left out where there is no room.
function spelled(weight) {
  const text = show(weight);
  return text.startsWith("0.") ? [h("span", {}, "0"), text.slice(1)] : [text];
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { tokens, scores, base, says, symbols, masks, start } = model.get("data");
    const T = tokens.length;
    const copy = (mask) => mask.map((row) => row.map(Boolean));
    const address = addressed(model, root, { mask: bits(T * T) });
    const painted = address.given.mask;
    const state = { mask: copy(masks[start][1]), row: T - 1, column: T - 1 };
    if (painted) state.mask = tokens.map((_, t) => painted.slice(t * T, (t + 1) * T));

    const presets = masks.map(([name, mask]) =>
      h(
        "button",
        { type: "button", class: "hw-word-button", click: () => update(() => (state.mask = copy(mask))) },
        name,
      ),
    );
    const cells = tokens.map((_, t) =>
      tokens.map((_, s) =>
        h("td", { role: "gridcell", tabindex: -1, class: "hw-painter-cell", click: (event) => event.detail || flip(t, s) }),
      ),
    );
    const nextCells = tokens.map(() => h("td", { role: "gridcell", class: "hw-painter-next" }));
    const head = (name) => h("th", { role: "columnheader", scope: "col" }, h("span", {}, name));
    const lines = tokens.map((token, t) =>
      h("tr", { role: "row" }, h("th", { role: "rowheader", scope: "row" }, token), ...cells[t], nextCells[t]),
    );
    const reading = h("p", { class: "hw-painter-reading" });
    const body = h("tbody", { role: "rowgroup", keydown }, ...lines);
    const stand = walk(body, () => cells, (row, column) => update(() => Object.assign(state, { row, column })));
    dragged(body, painting());

    root.replaceChildren(
      h("div", { class: "hw-controls hw-painter-masks", role: "group", "aria-label": "Masks" }, ...presets),
      h(
        "div",
        { class: "hw-scroll" },
        h(
          "table",
          { role: "grid", class: "hw-painter-grid", "aria-label": "Weights, by who asks and who is asked" },
          h(
            "thead",
            { role: "rowgroup" },
            h("tr", { role: "row" }, h("td", { role: "gridcell" }, "asks ↓"), ...tokens.map(head), head("says next")),
          ),
          body,
        ),
      ),
      reading,
    );
    const say = voice(root);
    draw();

    // Gives the cells on a line one value; the last has the cursor.
    function paint(line, visible) {
      const [row, column] = line.at(-1);
      update(() => {
        Object.assign(state, { row, column });
        for (const [t, s] of line) state.mask[t][s] = visible;
      });
      cells[row][column].focus({ preventScroll: true });
    }

    // The keyboard's way, and that of programs which press without a pointer.
    function flip(t, s) {
      paint([[t, s]], !state.mask[t][s]);
    }

    function keydown(event) {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      flip(state.row, state.column);
    }

    // The cell that is pressed changes, and those on the way of the pointer become what it became.
    function painting() {
      let visible, last;
      return ({ type, clientX, clientY }) => {
        const under = document.elementFromPoint(clientX, clientY)?.closest("td");
        const t = cells.findIndex((line) => line.includes(under));
        if (t < 0) return false;
        const here = [t, cells[t].indexOf(under)];
        if (type === "pointerdown") [visible, last] = [!state.mask[t][here[1]], here];
        else if (String(here) === String(last)) return true;
        paint(cellsBetween(last, here), visible);
        last = here;
        return true;
      };
    }

    function update(change) {
      change();
      const told = draw();
      say(told);
      address.keep({ mask: state.mask.flat() });
    }

    function draw() {
      const now = JSON.stringify(state.mask.map((row) => row.map(Number)));
      masks.forEach(([, mask], i) => presets[i].setAttribute("aria-pressed", JSON.stringify(mask) === now));
      const rows = scores.map((row, t) => softmax(row, state.mask[t]));
      const nexts = rows.map((row, t) => {
        const [best, p] = likeliest(base[t], row, says);
        return [symbols[best], p];
      });
      rows.forEach((row, t) => {
        row.forEach((w, s) => {
          const cell = cells[t][s];
          const visible = state.mask[t][s];
          cell.replaceChildren(...(visible ? spelled(w) : ["×"]));
          cell.classList.toggle("hw-painter-hidden", !visible);
          cell.style.setProperty("--p", w);
          cell.setAttribute(
            "aria-label",
            `${tokens[t]} asks ${tokens[s]}: ${visible ? `weight ${show(w, 3)}` : "hidden"}`,
          );
        });
        nextCells[t].replaceChildren(nexts[t][0], h("span", {}, ` ${show(nexts[t][1])}`));
        lines[t].classList.toggle("hw-painter-current", t === state.row);
      });
      stand(state.row, state.column);
      const t = state.row;
      const seen = tokens.filter((_, s) => state.mask[t][s]);
      const heard = seen.length
        ? `sees ${seen.length} of ${T} words; its weights sum to 1`
        : "sees nothing; its weights are zeros, and so is what it mixes";
      reading.textContent = `“${tokens[t]}” ${heard}. Next word: ${nexts[t][0]}, ${show(nexts[t][1], 3)}.`;
      return `${cells[t][state.column].getAttribute("aria-label")}. ${reading.textContent}`;
    }
  },
};
