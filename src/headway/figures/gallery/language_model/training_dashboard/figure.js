// A training, step by step: two losses on a curve, and a text.
// data: { curve: [[step, loss]], looks: [{ step, loss, heldOut, said }],
//         levels: [[name, loss]], prompt }
import { h, labelled, range, set, show, stageOf, voice } from "../../../core/shared.js";

// The points of a line as an SVG path, through x and y.
export function pathOf(points, x, y) {
  return points.map(([step, loss], i) => `${i ? "L" : "M"}${x(step).toFixed(1)} ${y(loss).toFixed(1)}`).join("");
}

// How far a held-out loss is below each level, as a sentence.
export function compared(loss, levels) {
  return levels.map(([name, level]) => `${show(Math.abs(level - loss))} ${loss < level ? "below" : "above"} the ${name}`).join(", ");
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { curve, looks, levels, prompt } = model.get("data");
    const W = 560, H = 230, LEFT = 46, RIGHT = 16, TOP = 12, BOTTOM = 42;
    const last = curve.at(-1)[0];
    const losses = [...curve.map(([, loss]) => loss), ...levels.map(([, loss]) => loss)];
    const top = Math.ceil(Math.max(...losses) + 0.2);
    const bottom = Math.floor(Math.min(...losses));
    const x = (step) => LEFT + ((W - LEFT - RIGHT) * step) / last;
    const y = (loss) => H - BOTTOM - ((H - TOP - BOTTOM) * (loss - bottom)) / (top - bottom);
    const guide = h("line", { class: "hw-training-dashboard-guide", y1: TOP, y2: H - BOTTOM });
    const dots = looks.map(({ step, heldOut }) => h("circle", { class: "hw-training-dashboard-dot", cx: x(step), cy: y(heldOut), r: 4 }));
    const ticks = Array.from({ length: top - bottom + 1 }, (_, i) => bottom + i);
    const label = "Loss by step: a line for training, dots for held-out text";
    const picture = h(
      "svg",
      { viewBox: `0 0 ${W} ${H}`, class: "hw-training-dashboard-picture", role: "img", "aria-label": label },
      h("path", { class: "hw-training-dashboard-axis", d: `M${LEFT} ${TOP}V${H - BOTTOM}H${W - RIGHT}` }),
      ...ticks.map((loss) => h("text", { x: LEFT - 6, y: y(loss) + 4, "text-anchor": "end" }, loss)),
      ...[0, 0.5, 1].map((share) => h("text", { x: x(last * share), y: H - BOTTOM + 16, "text-anchor": "middle" }, Math.round(last * share))),
      h("text", { x: (LEFT + W - RIGHT) / 2, y: H - 6, "text-anchor": "middle" }, "step"),
      ...levels.flatMap(([name, loss]) => [
        h("line", { class: "hw-training-dashboard-level", x1: LEFT, x2: W - RIGHT, y1: y(loss), y2: y(loss) }),
        h("text", { x: x(last * 0.3), y: y(loss) + 14 }, name),
      ]),
      h("path", { class: "hw-training-dashboard-line", d: pathOf(curve, x, y) }),
      guide,
      ...dots,
    );
    const slider = range(0, looks.length - 1, 1, looks.length - 1, move);
    const stepShown = h("span", { class: "hw-value", "aria-hidden": "true" });
    const sentence = h("p", { class: "hw-sentence" });
    const readings = h("dl", { class: "hw-readings" });
    const said = h("p", { class: "hw-training-dashboard-said" });
    root.replaceChildren(
      h("div", { class: "hw-controls" }, labelled("Step", slider, stepShown)),
      h("div", { class: "hw-panels" }, h("div", { class: "hw-panel hw-training-dashboard-wide" }, picture), h("div", { class: "hw-panel" }, readings)),
      sentence,
      said,
    );
    const say = voice(root);
    draw(looks.length - 1);

    function move(at) {
      draw(at);
      say(`${sentence.textContent} ${said.textContent}`);
    }

    function draw(at) {
      const { step, loss, heldOut, said: text } = looks[at];
      stepShown.textContent = step;
      set(slider, { "aria-valuetext": `step ${step}` });
      set(guide, { x1: x(step), x2: x(step) });
      dots.forEach((dot, i) => dot.classList.toggle("hw-training-dashboard-now", i === at));
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
