// What temperature, top-k and top-p leave of the distribution of the next word.
// data: { words: [V], beginnings: [{ text, logits: [V] }], shown, temperatures, ks, ps,
//         start: { temperature, p } }, the places of the stops at first; behind the last k: no limit
import { addressed, whole } from "../../../core/address.js";
import { dragged, nearest, sliding } from "../../../core/handles.js";
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
    const address = addressed(model, root, {
      ...{ one: whole(beginnings.length), temperature: whole(temperatures.length) },
      ...{ k: whole(ks.length + 1), p: whole(ps.length) },
    });
    const state = { one: 0, ...start, k: ks.length, ...address.given };
    const limit = (k) => ks[k] ?? null;

    const texts = beginnings.map(({ text }) => text);
    const picker = select(texts, state.one, (one) => update({ one }));
    const sliders = {
      temperature: range(0, temperatures.length - 1, 1, state.temperature, (temperature) => update({ temperature })),
      k: range(0, ks.length, 1, state.k, (k) => update({ k })),
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
    const cut = h("div", { class: "hw-nucleus-cut" });
    const sayCut = sliding(cut, "Top-p", ps.length - 1, (p) => update({ p }));
    dragged(cut, ({ clientY }) => {
      const above = lines.filter(({ row }) => row.getBoundingClientRect().top + row.offsetHeight / 2 < clientY).length;
      const p = stopKeeping(Math.max(above, 1));
      if (p !== state.p) update({ p });
      cut.focus({ preventScroll: true });
    });
    const heads = ["", "bar", "before", "after"].map((name) => (name ? h("th", { scope: "col", class: `hw-nucleus-${name}` }, name) : h("td", {})));

    root.replaceChildren(
      h("div", { class: "hw-controls hw-wide" }, labelled("After", picker)),
      h(
        "div",
        { class: "hw-controls" },
        labelled("Top-k", sliders.k, values.k),
        labelled("Temperature", sliders.temperature, values.temperature),
      ),
      reading,
      h(
        "div",
        { class: "hw-nucleus", style: `--rows: ${shown}` },
        h(
          "table",
          { class: "hw-meter-table" },
          h("caption", {}, "Probability of the likeliest next words"),
          h("thead", {}, h("tr", {}, ...heads)),
          h("tbody", {}, ...lines.map(({ row }) => row)),
        ),
        cut,
      ),
      rest,
    );
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      draw();
      say(reading.textContent);
      address.keep(state);
    }

    function leftBy(p) {
      return left(beginnings[state.one].logits, temperatures[state.temperature], limit(state.k), ps[p]);
    }

    // The stop of top-p that keeps as many words as that, or nearly; where all are kept that are
    // shown, the next one that keeps more.
    function stopKeeping(count) {
      const kept = ps.map((_, p) => leftBy(p).kept);
      const more = kept.findIndex((many) => many > shown);
      return count >= shown && more >= 0 ? Math.max(more, state.p) : nearest(kept, count);
    }

    function draw() {
      const { text } = beginnings[state.one];
      const { order, before, after, kept, held } = leftBy(state.p);
      const k = limit(state.k);
      const said = { temperature: show(temperatures[state.temperature]), k: k === null ? "no limit" : String(k) };
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
      const lowest = Math.min(kept, shown);
      cut.style.setProperty("--share", lowest / shown);
      cut.dataset.name = `top-p ${show(ps[state.p])}${kept > shown ? ` · ${kept - shown} more` : ""}`;
      sayCut(state.p, `${show(ps[state.p])}, ${kept} ${kept === 1 ? "word" : "words"}`);
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
