// What a place of an image depends on after layers of attention over patches, and of convolution.
// data: { image: [h][w] gray values in 0 … 1, patch, layers, start: number of a patch }
import { addressed, whole } from "../../../core/address.js";
import { moved } from "../../../core/grid.js";
import { dragged, placeIn } from "../../../core/handles.js";
import { h, labelled, range, set, stageOf, voice } from "../../../core/shared.js";

// The pixels that a place depends on: { top, bottom, left, right }, the ends not included. By
// convolution the pixel in the middle of the patch is meant.
export function reachOf({ height, width, patch }, place, layers, kind) {
  const columns = width / patch;
  const top = patch * Math.floor(place / columns);
  const left = patch * (place % columns);
  if (kind === "attention") {
    return layers
      ? { top: 0, bottom: height, left: 0, right: width }
      : { top, bottom: top + patch, left, right: left + patch };
  }
  const [y, x] = [top + Math.floor(patch / 2), left + Math.floor(patch / 2)];
  return {
    ...{ top: Math.max(0, y - layers), bottom: Math.min(height, y + layers + 1) },
    ...{ left: Math.max(0, x - layers), right: Math.min(width, x + layers + 1) },
  };
}

export function pixelsIn({ top, bottom, left, right }) {
  return (bottom - top) * (right - left);
}

const KINDS = ["attention", "convolution"];
const FROM = { attention: "The orange patch", convolution: "The pixel in its middle" };
const OF = { attention: "attention over patches", convolution: "convolution, 3 × 3 pixels" };

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { image, patch, layers, start } = model.get("data");
    const sizes = { height: image.length, width: image[0].length, patch };
    const [rows, columns] = [sizes.height / patch, sizes.width / patch];
    const address = addressed(model, root, { place: whole(rows * columns), layers: whole(layers + 1) });
    const state = { place: start, layers: 1, ...address.given };

    const layerSlider = range(0, layers, 1, 1, (n) => update({ layers: n }));
    const layersShown = h("span", { class: "hw-value", "aria-hidden": "true" });
    const panels = KINDS.map((kind) => {
      const lit = h("rect", { class: "hw-reach-lit" });
      const chosen = h("rect", { class: "hw-reach-place" });
      if (kind === "attention") set(chosen, { role: "slider", tabindex: 0, "aria-label": "Patch", "aria-valuemin": 1, "aria-valuemax": rows * columns });
      const pixels = image.flatMap((line, y) =>
        line.map((gray, x) => h("rect", { x, y, width: 1.02, height: 1.02, fill: `rgb(${[0, 0, 0].fill(Math.round(255 * gray))})` })),
      );
      const lines = kind === "attention" ? cuts() : [];
      const map = h(
        "svg",
        { viewBox: `-0.5 -0.5 ${sizes.width + 1} ${sizes.height + 1}`, class: "hw-reach-image", role: "group", "aria-label": `What is seen by ${kind}`, keydown },
        h("g", { "aria-hidden": "true" }, ...pixels, ...lines, lit),
        chosen,
      );
      dragged(map, (event) => {
        const place = patchAt(placeIn(map, event));
        if (place !== state.place) update({ place });
      });
      const count = h("p", { class: "hw-reach-count" });
      return { kind, lit, chosen, count, node: h("div", { class: "hw-panel hw-reach" }, h("p", { class: "hw-reach-name" }, OF[kind]), map, count) };
    });
    root.replaceChildren(
      h(
        "div",
        { class: "hw-controls" },
        labelled("Layers", layerSlider, layersShown),
      ),
      h("div", { class: "hw-panels" }, ...panels.map(({ node }) => node)),
    );
    const say = voice(root);
    draw();

    function cuts() {
      const across = Array.from({ length: rows + 1 }, (_, i) => ({ x1: 0, x2: sizes.width, y1: i * patch, y2: i * patch }));
      const down = Array.from({ length: columns + 1 }, (_, i) => ({ y1: 0, y2: sizes.height, x1: i * patch, x2: i * patch }));
      return [...across, ...down].map((ends) => h("line", { ...ends, class: "hw-reach-cut" }));
    }

    // The patch under a place of the drawing.
    function patchAt([x, y]) {
      const within = (along, count) => Math.min(Math.max(Math.floor(along / patch), 0), count - 1);
      return within(y, rows) * columns + within(x, columns);
    }

    function keydown(event) {
      const now = [Math.floor(state.place / columns), state.place % columns];
      const next = moved(event, now, [rows, columns]);
      if (next) update({ place: next[0] * columns + next[1] });
    }

    function update(change) {
      Object.assign(state, change);
      say(draw());
      address.keep(state);
    }

    function draw() {
      layerSlider.value = state.layers;
      layersShown.textContent = state.layers;
      const where = `row ${Math.floor(state.place / columns) + 1}, column ${(state.place % columns) + 1}`;
      set(panels[0].chosen, { "aria-valuenow": state.place + 1, "aria-valuetext": where });
      const all = sizes.height * sizes.width;
      for (const { kind, lit, chosen, count } of panels) {
        const frame = (node, { top, bottom, left, right }) =>
          set(node, { x: left, y: top, width: right - left, height: bottom - top });
        const seen = reachOf(sizes, state.place, state.layers, kind);
        frame(lit, seen);
        frame(chosen, reachOf(sizes, state.place, 0, kind));
        count.textContent = `${FROM[kind]} sees ${pixelsIn(seen)} of ${all} pixels`;
      }
      return `${state.layers} layers, ${where}. ${panels.map(({ kind, count }) => `By ${kind}: ${count.textContent}.`).join(" ")}`;
    }
  },
};
