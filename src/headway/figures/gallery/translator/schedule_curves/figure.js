// A learning rate that rises and then falls: width and warm-up are chosen, a step is read out.
// data: { widths: [W], warmups: [U], steps: [N], rates: [W][U][N], width, warmup, at }
import { addressed, whole } from "../../../core/address.js";
import { chart, lineThrough } from "../../../core/chart.js";
import { h, labelled, select, stageOf, voice } from "../../../core/shared.js";

// Five decimals, and no zeros at the end.
export function small(rate) {
  return rate ? rate.toFixed(5).replace(/0+$/, "") : "0";
}

// What the rate does at a step.
export function course(step, warmup) {
  return step < warmup ? "rises" : step === warmup ? "at its peak" : "falls";
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { widths, warmups, steps, rates, width, warmup, at } = model.get("data");
    const address = addressed(model, root, {
      ...{ width: whole(widths.length), warmup: whole(warmups.length), at: whole(steps.length) },
    });
    const state = { width, warmup, at, ...address.given };
    const top = Math.max(...rates.flat(2)) * 1.05;

    const curves = chart({
      label: "Learning rate by step",
      height: 260,
      axes: () => ({
        x: { range: [0, steps.at(-1)], name: "step" },
        y: { range: [0, top], spell: small, name: "learning rate" },
      }),
      inside,
      stops: {
        name: "Step",
        values: steps,
        spell: (step) => `step ${step}`,
        at: () => state.at,
        go: (place) => update({ at: place }),
      },
    });
    const widthSelect = select(widths.map(String), width, (w) => update({ width: w }));
    const warmupSelect = select(warmups.map((n) => `${n} steps`), warmup, (u) => update({ warmup: u }));
    const reading = h("p", { class: "hw-sentence" });
    const peak = h("p", { class: "hw-doubt" });
    root.replaceChildren(
      h("div", { class: "hw-controls" }, labelled("Width C", widthSelect), labelled("Warm-up", warmupSelect)),
      curves.node,
      reading,
      peak,
    );
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      draw();
      say(`${reading.textContent} ${peak.textContent}`);
      address.keep(state);
    }

    // The chosen curve, and in gray those that differ from it in one choice.
    function inside({ x, y }) {
      const line = (of, name) => h("path", { class: name, d: lineThrough(of.map((rate, i) => [x(steps[i]), y(rate)])) });
      const others = rates.flatMap((of, w) =>
        of.filter((_, u) => (w === state.width) !== (u === state.warmup)).map((curve) => line(curve, "hw-chart-other")),
      );
      const now = rates[state.width][state.warmup];
      const highest = Math.max(...rates.flatMap((of, w) => of.map((curve, u) => (w === state.width && u === state.warmup ? 0 : curve.at(-1)))));
      return [
        ...others,
        h("text", { x: x(steps.at(-1)), y: y(highest) - 12, "text-anchor": "end" }, "one choice differs"),
        line(now, "hw-chart-line"),
        h("circle", { class: "hw-chart-dot hw-tone-1", cx: x(steps[state.at]), cy: y(now[state.at]), r: 6 }),
      ];
    }

    function draw() {
      const now = rates[state.width][state.warmup];
      const step = steps[state.at];
      curves.draw();
      widthSelect.value = state.width;
      warmupSelect.value = state.warmup;
      reading.textContent = `Step ${step}: the rate is ${small(now[state.at])}, and ${course(step, warmups[state.warmup])}.`;
      peak.textContent = `The peak, ${small(Math.max(...now))}, is at step ${warmups[state.warmup]}.`;
    }
  },
};
