// A block drawn as its switches say, and one number by depth for a stack of such blocks.
// data: { activations: [name], start: [skip, norm, activation],
//         measures: [{ name, log, values: [2][3][A][L + 1] }] }
import { h, labelled, select, set, show, stageOf, voice } from "../../../core/shared.js";

const SKIPS = ["with", "without"];
const NORMS = ["before", "after", "none"];
const NETWORK = "feed-forward";

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

// How far up a number stands between the limits, 0 to 1.
export function height(value, [low, high], log) {
  const of = log ? Math.log10 : (x) => x;
  return (of(value) - of(low)) / (of(high) - of(low));
}

// Marks of the axis: four powers of ten at most, or the limits and the middle.
export function ticks([low, high], log) {
  if (!log) return [low, (low + high) / 2, high];
  const [first, last] = [Math.round(Math.log10(low)), Math.round(Math.log10(high))];
  const step = Math.max(1, Math.ceil((last - first) / 4));
  const found = [];
  for (let power = first; power <= last; power += step) found.push(10 ** power);
  return found;
}

// A number with two digits that count.
export function few(value) {
  if (value === 0) return "0";
  const power = Math.floor(Math.log10(Math.abs(value)));
  if (power < -3 || power > 4) {
    const raised = [...String(power)].map((sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)]);
    const digits = show(value / 10 ** power, 1);
    return `${digits === "1" ? "" : `${digits} · `}10${raised.join("")}`;
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
    const state = { skip: start[0], norm: start[1], activation: start[2], measure: 0 };
    const W = 560, H = 230, LEFT = 74, RIGHT = 16, TOP = 14, BOTTOM = 46;
    const drawing = h("svg", { viewBox: `0 0 ${W} 96`, class: "hw-block-drawing", role: "img" });
    const curve = h("svg", { viewBox: `0 0 ${W} ${H}`, class: "hw-block-curve", role: "img" });
    const choose = (key) => (i) => update({ [key]: i });
    const controls = [
      labelled("Skip connections", select(SKIPS, state.skip, choose("skip"))),
      labelled("Norm", select(NORMS, state.norm, choose("norm"))),
      labelled("Activation", select(activations, state.activation, choose("activation"))),
      labelled("Curve", select(measures.map((one) => one.name), 0, choose("measure"))),
    ];
    const reading = h("p", { class: "hw-sentence" });
    root.replaceChildren(h("div", { class: "hw-controls" }, ...controls), drawing, curve, reading);
    const say = voice(root);
    draw();

    function update(change) {
      Object.assign(state, change);
      draw();
      say(reading.textContent);
    }

    function draw() {
      drawBlock();
      drawCurve();
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

    function drawCurve() {
      const { name, log, values } = measures[state.measure];
      const range = limits(values, log);
      const depth = values[0][0][0].length - 1;
      const x = (d) => LEFT + ((W - LEFT - RIGHT) * d) / depth;
      const y = (value) => H - BOTTOM - (H - TOP - BOTTOM) * height(value, range, log);
      const path = (of) => of.map((value, d) => `${d ? "L" : "M"}${x(d).toFixed(1)} ${y(value).toFixed(1)}`).join("");
      const others = values.flat(2).map((of) => h("path", { class: "hw-block-other", d: path(of) }));
      const now = values[state.skip][state.norm][state.activation];
      set(curve, { "aria-label": `${name}, by depth` });
      curve.replaceChildren(
        h("line", { class: "hw-block-axis", x1: LEFT, x2: W - RIGHT, y1: H - BOTTOM, y2: H - BOTTOM }),
        h("line", { class: "hw-block-axis", x1: LEFT, x2: LEFT, y1: TOP, y2: H - BOTTOM }),
        ...ticks(range, log).map((value) => h("text", { x: LEFT - 6, y: y(value), "text-anchor": "end" }, few(value))),
        ...[0, depth / 2, depth].map((d) => h("text", { x: x(d), y: H - BOTTOM + 15, "text-anchor": "middle" }, String(d))),
        h("text", { x: (LEFT + W - RIGHT) / 2, y: H - 9, "text-anchor": "middle" }, "blocks passed"),
        ...others,
        h("path", { class: "hw-block-line", d: path(now) }),
      );
    }
  },
};
