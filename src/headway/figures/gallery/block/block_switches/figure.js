// A block drawn as its switches say, and one number by depth for a stack of such blocks.
// data: { activations: [name], start: [skip, norm, activation],
//         measures: [{ name, log, values: [2][3][A][L + 1] }] }
import { addressed, whole } from "../../../core/address.js";
import { chart, lineThrough, raised } from "../../../core/chart.js";
import { h, labelled, select, set, show, stageOf, voice } from "../../../core/shared.js";

const SKIPS = ["with", "without"];
const NORMS = ["before", "after", "none"];
const NETWORK = "feed-forward";
const W = 560; // of the drawn block

// What stands on the way through one sub-layer, from left to right.
export function partsOf(skip, norm, name) {
  return [
    ...(NORMS[norm] === "before" ? ["norm"] : []),
    name,
    ...(SKIPS[skip] === "with" ? ["+"] : []),
    ...(NORMS[norm] === "after" ? ["norm"] : []),
  ];
}

// The lowest and the highest number of all curves; powers of ten around them on a log axis.
export function limits(values, log) {
  const all = values.flat(3);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  if (!log) return [Math.min(0, low), high];
  return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high))];
}

// A number with two digits that count.
export function few(value) {
  if (value === 0) return "0";
  const power = Math.floor(Math.log10(Math.abs(value)));
  if (power < -3 || power > 4) {
    const digits = show(value / 10 ** power, 1);
    return `${digits === "1" ? "" : `${digits} · `}10${raised(power)}`;
  }
  return show(value, Math.max(0, 1 - power));
}

// What the curve does from its first number to its last.
export function course(curve) {
  const [first, last] = [curve[0], curve[curve.length - 1]];
  return `${few(first)} before the first block, ${few(last)} after block ${curve.length - 1}.`;
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { activations, start, measures } = model.get("data");
    const address = addressed(model, root, {
      ...{ skip: whole(SKIPS.length), norm: whole(NORMS.length) },
      ...{ activation: whole(activations.length), measure: whole(measures.length) },
    });
    const [skip, norm, activation] = start;
    const state = { skip, norm, activation, measure: 0, ...address.given };
    const drawing = h("svg", { viewBox: `0 0 ${W} 96`, class: "hw-block-drawing", role: "img" });
    const depth = measures[0].values[0][0][0].length - 1;
    const curve = chart({
      label: "The chosen number, by depth",
      height: 260,
      axes() {
        const { name, log, values } = measures[state.measure];
        return {
          x: { range: [0, depth], name: "blocks passed" },
          y: { range: limits(values, log), log, spell: few, name },
        };
      },
      inside,
    });
    const choose = (key) => (i) => update({ [key]: i });
    const controls = [
      labelled("Skip connections", select(SKIPS, state.skip, choose("skip"))),
      labelled("Norm", select(NORMS, state.norm, choose("norm"))),
      labelled("Activation", select(activations, state.activation, choose("activation"))),
      labelled("Curve", select(measures.map((one) => one.name), state.measure, choose("measure"))),
    ];
    const reading = h("p", { class: "hw-sentence" });
    root.replaceChildren(h("div", { class: "hw-controls" }, ...controls), drawing, curve.node, reading);
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      draw();
      say(reading.textContent);
      address.keep(state);
    }

    function draw() {
      drawBlock();
      curve.draw();
      const { name, values } = measures[state.measure];
      reading.textContent = `${name}: ${course(values[state.skip][state.norm][state.activation])}`;
    }

    function drawBlock() {
      const { skip, norm, activation } = state;
      const layers = ["attention", NETWORK].map((name) => partsOf(skip, norm, name));
      const Y = 62, shapes = [], wires = [];
      const wide = (part) => (part === "+" ? 26 : 18 + 8.6 * part.length);
      const all = layers.flat().reduce((sum, part) => sum + wide(part), 0);
      const gap = (W - all) / (layers.flat().length + 1);
      let x = gap;
      wires.push(h("path", { class: "hw-block-stream", d: `M0 ${Y}H${W}` }));
      for (const layer of layers) {
        const from = x - gap / 2;
        for (const part of layer) {
          const middle = x + wide(part) / 2;
          if (part === "+") {
            wires.push(h("path", { class: "hw-block-stream", d: `M${from} ${Y}V16H${middle}V${Y}` }));
            shapes.push(h("circle", { class: "hw-block-plus", cx: middle, cy: Y, r: 12 }));
          } else {
            const kind = part === "norm" ? " hw-block-norm" : "";
            shapes.push(h("rect", { class: `hw-block-box${kind}`, x, y: Y - 22, width: wide(part), height: 44, rx: 5 }));
          }
          const inside = part === NETWORK ? activations[activation] : null;
          const text = (name, what, y) => h("text", { class: name, x: middle, y, "text-anchor": "middle" }, what);
          shapes.push(text("hw-block-name", part, inside ? Y - 9 : Y));
          if (inside) shapes.push(text("hw-block-inside", inside, Y + 11));
          x += wide(part) + gap;
        }
      }
      set(drawing, { "aria-label": `The block: ${layers.flat().join(", ")}; activation: ${activations[activation]}` });
      drawing.replaceChildren(...wires, ...shapes);
    }

    // The curve of this block, and in gray those of all others.
    function inside({ x, y }) {
      const { values } = measures[state.measure];
      const line = (of, name) => h("path", { class: name, d: lineThrough(of.map((value, d) => [x(d), y(value)])) });
      const all = values.flat(2);
      const last = Math.max(...all.map((of) => of.at(-1)));
      return [
        ...all.map((of) => line(of, "hw-chart-other")),
        h("text", { x: x(depth), y: y(last) - 12, "text-anchor": "end" }, "all other ways"),
        line(values[state.skip][state.norm][state.activation], "hw-chart-line"),
      ];
    }
  },
};
