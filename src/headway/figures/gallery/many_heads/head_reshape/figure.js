// The way of a projection through the heads: its columns, colored by head, move step by step.
// data: { words: [T], heads: H, order: [H][T][D] of t·C + c, steps: [{ name, shape, text, place }] }
// place: "wide" (T, C) · "split" (T, H, D) · "heads" (H, T, D)
import { addressed, whole } from "../../../core/address.js";
import { h, set, stageOf, voice } from "../../../core/shared.js";

const [wide, high, left, gap, top] = [40, 26, 84, 14, 26];

// Where each number stands in each arrangement; `order` comes from headway's own split.
export function placesOf(order) {
  const [H, T, D] = [order.length, order[0].length, order[0][0].length];
  const places = [];
  order.forEach((block, head) =>
    block.forEach((line, t) =>
      line.forEach((id, d) => {
        const [row, column] = [Math.floor(id / (H * D)), id % (H * D)];
        places[id] = {
          head,
          wide: [left + column * wide, top + row * high],
          split: [left + column * wide + head * gap, top + row * high],
          heads: [left + d * wide, top + head * (T * high + gap) + t * high],
        };
      }),
    ),
  );
  return places;
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { words, heads, order, steps } = model.get("data");
    const T = words.length;
    const D = order[0][0].length;
    const C = heads * D;
    const address = addressed(model, root, { step: whole(steps.length) });
    let { step = 0 } = address.given;

    const places = placesOf(order);
    const cells = places.map(({ head }, id) =>
      h(
        "g",
        { class: `hw-reshape-cell hw-reshape-${head % 4}` },
        h("rect", { x: 1, y: 1, width: wide - 2, height: high - 2, rx: 3 }),
        h("text", { x: wide / 2, y: high / 2 }, `${Math.floor(id / C)},${id % C}`),
      ),
    );
    const labels = Array.from({ length: heads * T }, () => h("text", { class: "hw-reshape-word" }));
    const tall = top + heads * (T * high + gap);
    const view = h(
      "svg",
      { class: "hw-reshape", role: "img", viewBox: `0 0 ${left + C * wide + heads * gap} ${tall}` },
      ...labels,
      ...cells,
    );
    const back = h("button", { type: "button", class: "hw-word-button", click: () => go(-1) }, "Back");
    const next = h("button", { type: "button", class: "hw-word-button", click: () => go(1) }, "Next step");
    const name = h("p", { class: "hw-sentence" });
    const text = h("p", { class: "hw-reshape-text" });

    root.replaceChildren(h("div", { class: "hw-controls" }, back, next), name, text, view);
    const say = voice(root);
    draw();

    function go(by) {
      step = Math.min(Math.max(step + by, 0), steps.length - 1);
      draw();
      say(`${name.textContent} ${text.textContent}`);
      address.keep({ step });
    }

    function draw() {
      const { place, shape, text: words_, name: title, mixed } = steps[step];
      back.disabled = step === 0;
      next.disabled = step === steps.length - 1;
      name.textContent = `Step ${step + 1} of ${steps.length}: ${title}, shape ${shape}`;
      text.textContent = words_;
      view.setAttribute("aria-label", `${title}: ${words_}`);
      view.setAttribute("data-place", place);
      cells.forEach((cell, id) => {
        const [x, y] = places[id][place];
        cell.style.transform = `translate(${x}px, ${y}px)`;
        cell.classList.toggle("hw-reshape-mixed", mixed === "words");
        cell.classList.toggle("hw-reshape-all", mixed === "heads");
      });
      labels.forEach((label, i) => {
        const [head, t] = [Math.floor(i / T), i % T];
        const shown = place === "heads" || head === 0;
        const block = place === "heads" ? head * (T * high + gap) : 0;
        set(label, { x: left - 8, y: top + block + t * high + high / 2 });
        label.textContent = shown ? words[t] : "";
      });
    }
  },
};
