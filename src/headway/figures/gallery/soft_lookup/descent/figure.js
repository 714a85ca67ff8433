// Gradient descent on surfaces over a plane: level lines, and the path that was walked.
// data: { half, surfaces: [{ name, matrix, ellipse: [[x, y]], sizes: [number] }], methods: [name],
//         rates: [number], walks: [surface][method][rate][step] of [x, y],
//         start: { surface, method, rate, step } }
import { addressed, whole } from "../../../core/address.js";
import { dragged, placeIn, sliding } from "../../../core/handles.js";
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
    const last = walks[0][0][0].length - 1;
    const address = addressed(model, root, {
      ...{ surface: whole(surfaces.length), method: whole(methods.length) },
      ...{ rate: whole(rates.length), step: whole(last + 1) },
    });
    const state = { ...start, ...address.given };

    const surface = select(surfaces.map((s) => s.name), state.surface, (i) => update({ surface: i }));
    const method = select(methods, state.method, (i) => update({ method: i }));
    const rate = range(0, rates.length - 1, 1, state.rate, (i) => update({ rate: i }));
    const rateShown = h("span", { class: "hw-value", "aria-hidden": "true" });

    const levels = h("g", {});
    const later = h("path", { class: "hw-path hw-path-later" });
    const path = h("path", { class: "hw-path" });
    const dots = h("g", {});
    const reach = h("circle", { class: "hw-handle-reach", r: half * 0.1 });
    const here = h("circle", { class: "hw-here", r: half * 0.035 });
    const walker = h("g", { class: "hw-handle-thumb" }, reach, here);
    const sayStep = sliding(walker, "Steps taken", last, (step) => update({ step }));
    const line = (x1, y1, x2, y2) => h("line", { class: "hw-axis", x1, y1, x2, y2 });
    const startName = h("text", { class: "hw-note" }, "start");
    const name = (x, y, text) => h("text", { class: "hw-axis-name", x, y }, text);
    const picture = h(
      "svg",
      {
        viewBox: `${-half} ${-half} ${2 * half} ${2 * half}`,
        class: "hw-arrows hw-surface",
        role: "group",
        "aria-label": "A walk on a surface",
        style: `--hw-unit: ${half / 100}px`,
      },
      h(
        "g",
        { "aria-hidden": "true" },
        ...[line(-half, 0, half, 0), line(0, -half, 0, half), levels, later, path, dots],
        startName,
        h("text", { class: "hw-note hw-note-level", x: half * 0.95, y: half * 0.9 }, "lines of equal loss"),
        ...[name(half * 0.93, half * 0.09, "x"), name(half * 0.08, -half * 0.92, "y")],
      ),
      walker,
    );
    dragged(picture, (event) => {
      const [x, y] = placeIn(picture, event);
      const far = walked().map((point) => Math.hypot(point[0] - x, point[1] - y));
      update({ step: far.indexOf(Math.min(...far)) });
      walker.focus({ preventScroll: true });
    });
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
      ),
      h(
        "div",
        { class: "hw-side-by-side" },
        picture,
        h(
          "dl",
          { class: "hw-readings" },
          ...reading("step", "Steps taken"),
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
      address.keep(state);
    }

    // The steps in the drawing's units. Far outside there is nothing to see, and browsers stumble
    // over huge coordinates.
    function walked() {
      const clip = (v) => Math.max(-50 * half, Math.min(50 * half, v));
      return walks[state.surface][state.method][state.rate].map(([x, y]) => [clip(x), -clip(y)]);
    }

    function draw() {
      const points = walks[state.surface][state.method][state.rate];
      const { ellipse, sizes, matrix } = surfaces[state.surface];
      const level = (k) => `M${ellipse.map(([x, y]) => `${k * x} ${-k * y}`).join("L")}Z`;
      levels.replaceChildren(...sizes.map((k) => h("path", { class: "hw-level", d: level(k) })));
      const all = walked();
      const taken = all.slice(0, state.step + 1);
      const through = (some) => `M${some.map((point) => point.join(" ")).join("L")}`;
      set(path, { d: through(taken) });
      set(later, { d: through(all.slice(state.step)) });
      dots.replaceChildren(
        ...taken.map(([cx, cy]) => h("circle", { class: "hw-dot", r: half * 0.016, cx, cy })),
      );
      const [cx, cy] = all[state.step];
      set(startName, { x: Math.max(all[0][0], -0.82 * half), y: all[0][1] + (all[0][1] < 0 ? -0.1 : 0.1) * half });
      set(here, { cx, cy });
      const inside = (v) => Math.max(-0.9 * half, Math.min(0.9 * half, v));
      set(reach, { cx: inside(cx), cy: inside(cy) }); // of a walk that has left the picture it stays

      surface.value = state.surface;
      method.value = state.method;
      rate.value = state.rate;
      rate.setAttribute("aria-valuetext", rates[state.rate]);
      rateShown.textContent = rates[state.rate];
      sayStep(state.step, `${state.step} of ${last}`);
      readings.step.textContent = `${state.step} of ${last}`;
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
