// A learning rate that rises and then falls: width and warm-up are chosen, a step is read out.
// data: { widths: [W], warmups: [U], steps: [N], rates: [W][U][N], width, warmup, at }
import { h, labelled, range, select, set, stageOf, voice } from "../../../core/shared.js";

// Five decimals, and no zeros at the end.
export function small(rate) {
  return rate.toFixed(5).replace(/0+$/, "");
}

// Marks from 0 up to the top of the axis, at round distances, at most five.
export function ticksTo(top) {
  const distances = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 1];
  const tick = distances.find((distance) => top / distance < 5) ?? top;
  return Array.from({ length: Math.floor(top / tick) + 1 }, (_, i) => i * tick);
}

// What the rate does at a step.
export function course(step, warmup) {
  return step < warmup ? "rises" : step === warmup ? "at its peak" : "falls";
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { widths, warmups, steps, rates, width, warmup, at } = model.get("data");
    const state = { width, warmup, at };
    const W = 540, H = 220, LEFT = 62, RIGHT = 28, TOP = 12, BOTTOM = 46;
    const last = steps[steps.length - 1];
    const top = Math.max(...rates.flat(2)) * 1.05;
    const x = (step) => LEFT + ((W - LEFT - RIGHT) * step) / last;
    const y = (rate) => H - BOTTOM - ((H - TOP - BOTTOM) * rate) / top;

    const path = (of) => of.map((rate, i) => `${i ? "L" : "M"}${x(steps[i]).toFixed(1)} ${y(rate).toFixed(1)}`).join("");
    const others = h("g", {});
    const line = h("path", { class: "hw-schedule-line" });
    const guide = h("line", { class: "hw-schedule-guide", y1: TOP, y2: H - BOTTOM });
    const dot = h("circle", { class: "hw-schedule-dot", r: 5 });
    const ticks = ticksTo(top);
    const axes = [
      ...ticks.map((rate) => h("text", { x: LEFT - 6, y: y(rate), "text-anchor": "end" }, rate ? small(rate) : "0")),
      ...[0, 0.5, 1].map((share) => h("text", { x: x(last * share), y: H - BOTTOM + 15, "text-anchor": "middle" }, String(Math.round(last * share)))),
      h("text", { x: (LEFT + W - RIGHT) / 2, y: H - 9, "text-anchor": "middle" }, "step"),
    ];
    const picture = h(
      "svg",
      { viewBox: `0 0 ${W} ${H}`, class: "hw-schedule", role: "img", "aria-label": "Learning rate by step" },
      h("line", { class: "hw-schedule-axis", x1: LEFT, x2: W - RIGHT, y1: H - BOTTOM, y2: H - BOTTOM }),
      h("line", { class: "hw-schedule-axis", x1: LEFT, x2: LEFT, y1: TOP, y2: H - BOTTOM }),
      ...axes,
      others,
      line,
      guide,
      dot,
    );
    const widthSelect = select(widths.map(String), width, (w) => update({ width: w }));
    const warmupSelect = select(warmups.map((n) => `${n} steps`), warmup, (u) => update({ warmup: u }));
    const move = range(0, steps.length - 1, 1, at, (i) => update({ at: i }));
    const reading = h("p", { class: "hw-sentence" });
    const peak = h("p", { class: "hw-doubt" });
    root.replaceChildren(
      h(
        "div",
        { class: "hw-controls" },
        labelled("Width C", widthSelect),
        labelled("Warm-up", warmupSelect),
        labelled("Step", move),
      ),
      picture,
      reading,
      peak,
    );
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      draw();
      say(`${reading.textContent} ${peak.textContent}`);
    }

    function draw() {
      const now = rates[state.width][state.warmup];
      const step = steps[state.at], rate = now[state.at];
      set(line, { d: path(now) });
      others.replaceChildren(
        ...rates.flatMap((of, w) =>
          of.flatMap((curve, u) =>
            (w === state.width) !== (u === state.warmup) ? [h("path", { class: "hw-schedule-other", d: path(curve) })] : [],
          ),
        ),
      );
      set(guide, { x1: x(step), x2: x(step) });
      set(dot, { cx: x(step), cy: y(rate) });
      widthSelect.value = state.width;
      warmupSelect.value = state.warmup;
      move.value = state.at;
      move.setAttribute("aria-valuetext", `step ${step}`);
      reading.textContent = `Step ${step}: the rate is ${small(rate)}, and ${course(step, warmups[state.warmup])}.`;
      peak.textContent = `The peak, ${small(Math.max(...now))}, is at step ${warmups[state.warmup]}.`;
    }
  },
};
