// What temperature, top-k and top-p leave of the distribution of the next word.
// data: { words: [V], beginnings: [{ text, logits: [V] }], shown, temperatures, ks, ps,
//         start: { temperature, p } }, the places of the stops at first; behind the last k: no limit
import { chance, h, labelled, range, select, show, stageOf, voice } from "../../../core/shared.js";
import { byLikelihood, filtered } from "../../../engine/sampling.js";
import { softmax } from "../../../engine/tensors.js";

// What the filters leave of a row of logits.
// → { order: ids, the likeliest first; before, after: probabilities; kept: how many words may be
//     drawn; held: their probability before the filters cut }
export function left(logits, temperature, topK, topP) {
  const before = softmax(logits);
  const warmed = softmax(filtered(logits, { temperature }));
  const after = softmax(filtered(logits, { temperature, topK, topP }));
  const order = byLikelihood(logits);
  const inside = order.filter((id) => after[id] > 0);
  const held = inside.reduce((sum, id) => sum + warmed[id], 0);
  return { order, before, after, kept: inside.length, held };
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { words, beginnings, shown, temperatures, ks, ps, start } = model.get("data");
    const state = { one: 0, ...start, k: ks.length };
    const limit = (k) => ks[k] ?? null;

    const texts = beginnings.map(({ text }) => text);
    const picker = select(texts, 0, (one) => update({ one }));
    const sliders = {
      temperature: range(0, temperatures.length - 1, 1, state.temperature, (temperature) => update({ temperature })),
      k: range(0, ks.length, 1, state.k, (k) => update({ k })),
      p: range(0, ps.length - 1, 1, state.p, (p) => update({ p })),
    };
    const values = Object.fromEntries(
      Object.keys(sliders).map((name) => [name, h("span", { class: "hw-value", "aria-hidden": "true" })]),
    );
    const reading = h("p", { class: "hw-sentence" });
    const rest = h("p", { class: "hw-doubt" });
    const lines = Array.from({ length: shown }, () => {
      const [name, fill, tick] = [h("th", { scope: "row" }), h("div", { class: "hw-meter" }), h("div", { class: "hw-tick" })];
      const numbers = [h("td", {}), h("td", {})];
      const track = h("div", { class: "hw-meter-track" }, fill, tick);
      const row = h("tr", {}, name, h("td", { class: "hw-meter-cell" }, track), ...numbers);
      return { row, name, fill, tick, numbers };
    });
    const heads = ["", "bar", "before", "after"].map((name) => (name ? h("th", { scope: "col" }, name) : h("td", {})));

    root.replaceChildren(
      h("div", { class: "hw-controls hw-wide" }, labelled("After", picker)),
      h(
        "div",
        { class: "hw-controls" },
        labelled("Top-p", sliders.p, values.p),
        labelled("Top-k", sliders.k, values.k),
        labelled("Temperature", sliders.temperature, values.temperature),
      ),
      reading,
      h(
        "table",
        { class: "hw-meter-table" },
        h("caption", {}, "Probability of the likeliest next words; the mark shows it before the filters"),
        h("thead", {}, h("tr", {}, ...heads)),
        h("tbody", {}, ...lines.map(({ row }) => row)),
      ),
      rest,
    );
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      draw();
      say(reading.textContent);
    }

    function draw() {
      const { logits, text } = beginnings[state.one];
      const [temperature, k, p] = [temperatures[state.temperature], limit(state.k), ps[state.p]];
      const { order, before, after, kept, held } = left(logits, temperature, k, p);
      const said = { temperature: show(temperature), k: k === null ? "no limit" : String(k), p: show(p) };
      for (const [name, slider] of Object.entries(sliders)) {
        slider.value = state[name];
        slider.setAttribute("aria-valuetext", said[name]);
        values[name].textContent = said[name];
      }
      const most = Math.max(before[order[0]], after[order[0]]);
      lines.forEach(({ row, name, fill, tick, numbers }, i) => {
        const id = order[i];
        name.textContent = words[id];
        fill.style.width = `${(100 * after[id]) / most}%`;
        tick.style.left = `${(100 * before[id]) / most}%`;
        [before[id], after[id]].forEach((value, j) => (numbers[j].textContent = chance(value)));
        row.classList.toggle("hw-meter-out", after[id] === 0);
      });
      reading.textContent =
        `After “${text}”, ${kept} of ${words.length} words may be drawn; ` +
        `they had ${show(100 * held, 1)} % of the probability.`;
      const others = order.slice(shown);
      const sum = (of) => others.reduce((total, id) => total + of[id], 0);
      rest.textContent =
        `The other ${others.length} words together: ${chance(sum(before))} before, ${chance(sum(after))} after.`;
    }
  },
};
