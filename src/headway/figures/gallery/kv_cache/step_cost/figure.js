// What one more token costs at each length, with a cache and without: a slider along the length.
// data: { lengths: [n], costs: [{ name, unit, ways: [cached [n], uncached [n]] }], at }
import { h, labelled, range, select, stageOf, voice } from "../../../core/shared.js";

// Three digits of a small number, all of a large one.
export function spell(value) {
  return value >= 1000 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
}

// A power of ten: 0.1, 1, 10, 100, 10³ …
export function spellPower(power) {
  if (power < 3) return String(Number((10 ** power).toPrecision(1)));
  return `10${[...String(power)].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]).join("")}`;
}

// The power of ten below all values, and how many decades hold them.
export function decades(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)].map(Math.log10);
  const floor = Math.floor(low + 1e-9);
  return { floor, span: Math.max(Math.ceil(high - 1e-9) - floor, 1) };
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { lengths, costs, at } = model.get("data");
    const state = { cost: 0, at };
    const names = ["with the cache", "without"];
    const [W, H, left, right, top, bottom] = [520, 290, 58, 12, 34, 40];

    const costSelect = select(costs.map(({ name }) => name), 0, (cost) => update({ cost }));
    const slider = range(0, lengths.length - 1, 1, at, (place) => update({ at: place }));
    const lengthShown = h("span", { class: "hw-value", "aria-hidden": "true" });
    const chart = h("svg", { viewBox: `0 0 ${W} ${H}`, class: "hw-step-cost", "aria-hidden": "true" });
    const sentence = h("p", { class: "hw-sentence hw-step-cost-sentence" });
    const terms = [...names, "ratio"];
    const reading = Object.fromEntries(terms.map((term) => [term, h("dd", { "data-reading": term })]));
    root.replaceChildren(
      h("div", { class: "hw-controls hw-wide" }, labelled("Cost of one token", costSelect)),
      h("div", { class: "hw-controls" }, labelled("Length", slider, lengthShown)),
      chart,
      sentence,
      h("dl", { class: "hw-readings hw-step-cost-readings" }, ...terms.flatMap((term) => [h("dt", {}, term), reading[term]])),
    );
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      draw();
      say(sentence.textContent);
    }

    function draw() {
      const { name, unit, ways } = costs[state.cost];
      const n = lengths[state.at];
      const { floor, span } = decades(ways.flat());
      const x = (length) => left + (length / lengths.at(-1)) * (W - left - right);
      const y = (value) => H - bottom - ((Math.log10(value) - floor) / span) * (H - top - bottom);
      const marks = Array.from({ length: span + 1 }, (_, i) => floor + i);
      const grid = marks.map((power) => {
        const height = y(10 ** power);
        return h(
          "g",
          {},
          h("line", { x1: left, x2: W - right, y1: height, y2: height, class: "hw-step-cost-grid" }),
          h("text", { x: left - 6, y: height, "text-anchor": "end" }, spellPower(power)),
        );
      });
      const ends = ways.map((way) => y(way.at(-1)));
      const curves = ways.map((way, i) => {
        const points = lengths.map((length, k) => `${x(length)},${y(way[k])}`);
        return h(
          "g",
          { class: `hw-step-cost-way-${i}` },
          h("path", { d: `M${points.join("L")}`, class: "hw-step-cost-line" }),
          h("circle", { cx: x(n), cy: y(way[state.at]), r: 6 }),
          h("text", { x: W - right, y: ends[i] + (ends[i] > ends[1 - i] && ends[i] - ends[1 - i] < 30 ? 16 : -14), "text-anchor": "end" }, names[i]),
        );
      });
      chart.replaceChildren(
        ...grid,
        h("line", { x1: x(n), x2: x(n), y1: top, y2: H - bottom, class: "hw-step-cost-guide" }),
        ...curves,
        h("text", { x: left, y: H - bottom + 16, "text-anchor": "middle" }, "0"),
        h("text", { x: W - right, y: H - bottom + 16, "text-anchor": "end" }, spell(lengths.at(-1))),
        h("text", { x: (left + W - right) / 2, y: H - 8, "text-anchor": "middle" }, "length, tokens"),
      );
      const [cached, uncached] = ways.map((way) => way[state.at]);
      slider.value = state.at;
      slider.setAttribute("aria-valuetext", `${n} tokens`);
      lengthShown.textContent = `${n}`;
      costSelect.value = state.cost;
      reading[names[0]].textContent = `${spell(cached)} ${unit}`;
      reading[names[1]].textContent = `${spell(uncached)} ${unit}`;
      reading.ratio.textContent = `${spell(uncached / cached)}`;
      sentence.textContent = `Token ${n}, ${name}: ${spell(cached)} ${unit} with the cache, ${spell(uncached)} without.`;
    }
  },
};
