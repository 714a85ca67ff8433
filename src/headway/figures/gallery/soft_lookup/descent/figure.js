// Gradient descent on surfaces over a plane: level lines, and the path that was walked.
// data: { half, surfaces: [{ name, matrix, ellipse: [[x, y]], sizes: [number] }], methods: [name],
//         rates: [number], walks: [surface][method][rate][step] of [x, y],
//         start: { surface, method, rate, step } }
import { h, labelled, range, select, set, show, stageOf, voice } from "../../../core/shared.js";

// ½ p A p, the height of the surface of matrix A at the point p.
export function lossAt([[a, b], [, d]], [x, y]) {
  return 0.5 * (a * x * x + 2 * b * x * y + d * y * y);
}

// Large and small losses alike, in a few signs.
export function short(loss) {
  if (loss >= 1e4) return loss.toExponential(1).replace("e+", " · 10^");
  return loss >= 0.001 || loss === 0 ? show(loss, loss < 0.1 ? 4 : 2) : "less than 0.001";
}

// How a walk ends, by its first loss and its loss after so many steps.
export function describe(first, end, steps) {
  if (end > first) return "Each step overshoots, and the walk runs away.";
  if (end < 0.0001 * first) return "The walk has arrived.";
  if (end < 0.01 * first) return "The walk is close.";
  return `After ${steps} steps it is still on its way.`;
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { half, surfaces, methods, rates, walks, start } = model.get("data");
    const state = { ...start };
    const last = walks[0][0][0].length - 1;

    const surface = select(surfaces.map((s) => s.name), state.surface, (i) => update({ surface: i }));
    const method = select(methods, state.method, (i) => update({ method: i }));
    const rate = range(0, rates.length - 1, 1, state.rate, (i) => update({ rate: i }));
    const step = range(0, last, 1, state.step, (i) => update({ step: i }));
    const rateShown = h("span", { class: "hw-value", "aria-hidden": "true" });
    const stepShown = h("span", { class: "hw-value", "aria-hidden": "true" });

    const levels = h("g", {});
    const path = h("path", { class: "hw-path" });
    const dots = h("g", {});
    const here = h("circle", { class: "hw-here", r: half * 0.035 });
    const line = (x1, y1, x2, y2) => h("line", { class: "hw-axis", x1, y1, x2, y2 });
    const name = (x, y, text) => h("text", { class: "hw-axis-name", x, y }, text);
    const picture = h(
      "svg",
      {
        viewBox: `${-half} ${-half} ${2 * half} ${2 * half}`,
        class: "hw-arrows hw-surface",
        "aria-hidden": "true",
        style: `--hw-unit: ${half / 100}px`,
      },
      line(-half, 0, half, 0),
      line(0, -half, 0, half),
      levels,
      path,
      dots,
      here,
      name(half * 0.93, half * 0.09, "x"),
      name(half * 0.08, -half * 0.92, "y"),
    );
    const readings = {};
    const reading = (key, term) => {
      readings[key] = h("dd", { "data-reading": key });
      return [h("dt", {}, term), readings[key]];
    };
    root.replaceChildren(
      h("div", { class: "hw-controls" }, labelled("Surface", surface), labelled("Method", method)),
      h(
        "div",
        { class: "hw-controls" },
        labelled("Learning rate", rate, rateShown),
        labelled("Steps taken", step, stepShown),
      ),
      h(
        "div",
        { class: "hw-side-by-side" },
        picture,
        h(
          "dl",
          { class: "hw-readings" },
          ...reading("point", "Point (x, y)"),
          ...reading("loss", "Loss here"),
          ...reading("least", "Loss after the last step"),
          ...reading("words", "In words"),
        ),
      ),
    );
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      const { words, loss } = draw();
      say(`${methods[state.method]}, learning rate ${rates[state.rate]}, step ${state.step}: loss ${loss}. ${words}`);
    }

    function draw() {
      const points = walks[state.surface][state.method][state.rate];
      const { ellipse, sizes, matrix } = surfaces[state.surface];
      const level = (k) => `M${ellipse.map(([x, y]) => `${k * x} ${-k * y}`).join("L")}Z`;
      levels.replaceChildren(...sizes.map((k) => h("path", { class: "hw-level", d: level(k) })));
      // Far outside there is nothing to see, and browsers stumble over huge coordinates.
      const far = 50 * half;
      const clip = (v) => Math.max(-far, Math.min(far, v));
      const walked = points.slice(0, state.step + 1).map(([x, y]) => [clip(x), -clip(y)]);
      set(path, { d: `M${walked.map((p) => p.join(" ")).join("L")}` });
      dots.replaceChildren(
        ...walked.map(([cx, cy]) => h("circle", { class: "hw-dot", r: half * 0.016, cx, cy })),
      );
      const [cx, cy] = walked[walked.length - 1];
      set(here, { cx, cy });

      surface.value = state.surface;
      method.value = state.method;
      rate.value = state.rate;
      step.value = state.step;
      rate.setAttribute("aria-valuetext", rates[state.rate]);
      rateShown.textContent = rates[state.rate];
      stepShown.textContent = state.step;
      const outside = Math.max(Math.abs(cx), Math.abs(cy)) > half ? ", outside the picture" : "";
      const at = points[state.step].map((v) => (Math.abs(v) < 1e4 ? show(v, 3) : "far away")).join(", ");
      readings.point.textContent = `(${at})${outside}`;
      const loss = short(lossAt(matrix, points[state.step]));
      readings.loss.textContent = loss;
      readings.least.textContent = `${short(lossAt(matrix, points[last]))} after ${last}`;
      const words = describe(lossAt(matrix, points[0]), lossAt(matrix, points[last]), last);
      readings.words.textContent = words;
      return { words, loss };
    }
  },
};
