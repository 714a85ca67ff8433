// A training, step by step: two losses on a curve, and a text.
// data: { curve: [[step, loss]], looks: [{ step, loss, heldOut, said }],
//         levels: [[name, loss]], prompt }
import { addressed, whole } from "../../../core/address.js";
import { chart, lineThrough } from "../../../core/chart.js";
import { h, show, stageOf, voice } from "../../../core/shared.js";

// How far a held-out loss is below each level, as a sentence.
export function compared(loss, levels) {
  return levels.map(([name, level]) => `${show(Math.abs(level - loss))} ${loss < level ? "below" : "above"} the ${name}`).join(", ");
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { curve, looks, levels, prompt } = model.get("data");
    const address = addressed(model, root, { at: whole(looks.length) });
    const state = { at: looks.length - 1, ...address.given };
    const losses = [...curve, ...levels].map(([, loss]) => loss);
    const last = curve.at(-1)[0];
    const range = [Math.floor(Math.min(...losses)), Math.ceil(Math.max(...losses) + 0.2)];
    const curves = chart({
      label: "Loss by step: a line for training, dots for held-out text",
      axes: () => ({
        x: { range: [0, last], name: "step" },
        y: { range, name: "loss, nats" },
      }),
      inside,
      stops: {
        name: "Step",
        values: looks.map(({ step }) => step),
        spell: (step) => `step ${step}`,
        at: () => state.at,
        go: (place) => update(place),
      },
    });
    const sentence = h("p", { class: "hw-sentence" });
    const readings = h("dl", { class: "hw-readings" });
    const said = h("p", { class: "hw-training-dashboard-said" });
    root.replaceChildren(
      h("div", { class: "hw-panels" }, h("div", { class: "hw-panel hw-training-dashboard-wide" }, curves.node), h("div", { class: "hw-panel" }, readings)),
      sentence,
      said,
    );
    const say = voice(root);
    draw();

    function update(at) {
      state.at = at;
      draw();
      say(`${sentence.textContent} ${said.textContent}`);
      address.keep(state);
    }

    function inside({ x, y, left, right }) {
      const early = curve[Math.floor(0.12 * curve.length)];
      return [
        ...levels.flatMap(([name, loss]) => [
          h("line", { class: "hw-chart-mark", x1: left, x2: right, y1: y(loss), y2: y(loss) }),
          h("text", { class: "hw-training-dashboard-level", x: x(0.62 * last), y: y(loss) + 12, "text-anchor": "middle" }, name),
        ]),
        h("path", { class: "hw-chart-line", d: lineThrough(curve.map(([step, loss]) => [x(step), y(loss)])) }),
        h("text", { class: "hw-chart-name", x: x(early[0]) + 10, y: y(early[1]) - 14 }, "training"),
        h("text", { class: "hw-chart-name hw-tone-1", x: x(looks[0].step) + 10, y: y(looks[0].heldOut) - 12 }, "held-out text"),
        ...looks.map(({ step, heldOut }, i) =>
          h("circle", { class: `hw-training-dashboard-dot${i === state.at ? " hw-training-dashboard-now" : ""}`, cx: x(step), cy: y(heldOut), r: 4.5 }),
        ),
      ];
    }

    function draw() {
      const { step, loss, heldOut, said: text } = looks[state.at];
      curves.draw();
      const reading = (term, value) => [h("dt", {}, term), h("dd", {}, value)];
      readings.replaceChildren(
        ...reading("loss in training", show(loss)),
        ...reading("loss on held-out text", show(heldOut)),
        ...reading("perplexity of held-out text", show(Math.exp(heldOut), 0)),
      );
      sentence.textContent = `Step ${step}: the held-out loss is ${compared(heldOut, levels)}.`;
      said.replaceChildren(h("b", {}, prompt), text || "(nothing)");
    }
  },
};
