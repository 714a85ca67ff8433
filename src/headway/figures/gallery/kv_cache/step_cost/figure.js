// What one more token costs at each length, with a cache and without: a line moves along the length.
// data: { lengths: [n], costs: [{ name, unit, ways: [cached [n], uncached [n]] }], at }
import { addressed, whole } from "../../../core/address.js";
import { chart, lineThrough, spellPower } from "../../../core/chart.js";
import { h, labelled, select, stageOf, voice } from "../../../core/shared.js";

// Three digits of a small number, all of a large one.
export function spell(value) {
  return value >= 1000 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
}

// The powers of ten around all values.
export function decades(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)].map(Math.log10);
  const floor = Math.floor(low + 1e-9);
  return [10 ** floor, 10 ** Math.max(Math.ceil(high - 1e-9), floor + 1)];
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { lengths, costs, at } = model.get("data");
    const address = addressed(model, root, { cost: whole(costs.length), at: whole(lengths.length) });
    const state = { cost: 0, at, ...address.given };
    const names = ["with the cache", "without"];

    const costSelect = select(costs.map(({ name }) => name), 0, (cost) => update({ cost }));
    const curves = chart({
      label: "Cost of one token by length",
      axes: () => ({
        x: { range: [0, lengths.at(-1)], spell, name: "length, tokens" },
        y: { range: decades(costs[state.cost].ways.flat()), log: true, spell: spellPower, name: costs[state.cost].unit },
      }),
      inside,
      stops: {
        name: "Length",
        values: lengths,
        spell: (n) => `${n} tokens`,
        at: () => state.at,
        go: (place) => update({ at: place }),
      },
    });
    const sentence = h("p", { class: "hw-sentence hw-step-cost-sentence" });
    const terms = [...names, "ratio"];
    const reading = Object.fromEntries(terms.map((term) => [term, h("dd", { "data-reading": term })]));
    root.replaceChildren(
      h("div", { class: "hw-controls hw-wide" }, labelled("Cost of one token", costSelect)),
      curves.node,
      sentence,
      h("dl", { class: "hw-readings hw-step-cost-readings" }, ...terms.flatMap((term) => [h("dt", {}, term), reading[term]])),
    );
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      draw();
      say(sentence.textContent);
      address.keep(state);
    }

    function inside({ x, y, right }) {
      const { ways } = costs[state.cost];
      const ends = ways.map((way) => y(way.at(-1)));
      return ways.map((way, i) => {
        const under = ends[i] > ends[1 - i] && ends[i] - ends[1 - i] < 30;
        return h(
          "g",
          { class: `hw-tone-${i}` },
          h("path", { class: "hw-chart-line", d: lineThrough(lengths.map((length, k) => [x(length), y(way[k])])) }),
          h("circle", { class: "hw-chart-dot", cx: x(lengths[state.at]), cy: y(way[state.at]), r: 6 }),
          h("text", { class: "hw-chart-name", x: right, y: ends[i] + (under ? 16 : -14), "text-anchor": "end" }, names[i]),
        );
      });
    }

    function draw() {
      const { name, unit, ways } = costs[state.cost];
      const [cached, uncached] = ways.map((way) => way[state.at]);
      curves.draw();
      costSelect.value = state.cost;
      reading[names[0]].textContent = `${spell(cached)} ${unit}`;
      reading[names[1]].textContent = `${spell(uncached)} ${unit}`;
      reading.ratio.textContent = `${spell(uncached / cached)}`;
      sentence.textContent = `Token ${lengths[state.at]}, ${name}: ${spell(cached)} ${unit} with the cache, ${spell(uncached)} without.`;
    }
  },
};
