// A drawing with two axes. It is as wide as its place and drawn anew when that changes, so that its
// letters have one size everywhere. A line across it can be moved along the horizontal axis.
import { dragged, nearest, placeIn, sliding } from "./handles.js";
import { h, set } from "./shared.js";

const WIDTH = 560; // before the drawing has a place
const [RIGHT, TOP, BOTTOM] = [18, 36, 52];
const LETTER = 7.4; // about as wide as one of the axes' letters

// From numbers to places: in proportion, or to their logarithms.
export function scale([low, high], [from, to], log) {
  const of = log ? Math.log10 : (x) => x;
  return (value) => from + ((of(value) - of(low)) / (of(high) - of(low))) * (to - from);
}

// Round numbers from low to high, at most so many: of an axis of logarithms, powers of ten.
export function ticks([low, high], most, log) {
  if (log) {
    const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
    const step = Math.max(1, Math.ceil((last - first + 1) / most));
    return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => 10 ** (first + i * step));
  }
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => (high - low) / size < most);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

// A power of ten in a few signs: 0.1, 1, 10, 100, 10³ …
export function spellPower(value) {
  const power = Math.round(Math.log10(value));
  if (power > -3 && power < 3) return String(Number(value.toPrecision(1)));
  return `10${raised(power)}`;
}

// A whole number as an exponent.
export function raised(power) {
  return [...String(power)].map((sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)]).join("");
}

// Points as the path of a line.
export function lineThrough(points) {
  return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}

// A chart. axes() gives its axes as they are now: { x, y }, each { range, name, log, ticks, spell };
// inside({ x, y, left, right, top, bottom }) gives what is drawn, with x and y from numbers to
// places. With `stops`, { name, values, spell, at, go }, a line is moved through the values: at()
// is the place of the one it stands at, and go(place) moves it.
export function chart({ label, height = 280, axes, inside, stops }) {
  const drawn = h("g", { "aria-hidden": "true" });
  const guide = stops ? guideOf(stops) : null;
  const role = stops ? "group" : "img";
  const node = h("svg", { class: "hw-chart", role, "aria-label": label, style: `height: ${height}px` }, drawn, guide?.node);
  let shown; // the width that it was drawn for
  let x;
  if (stops) {
    const follow = (event) => {
      stops.go(nearest(stops.values.map(x), placeIn(node, event)[0]));
      guide.thumb.focus({ preventScroll: true });
    };
    dragged(node, follow, { sideways: true });
  }
  new ResizeObserver(() => widthOf(node) !== shown && draw()).observe(node);

  function draw() {
    shown = widthOf(node);
    const now = axes();
    const heights = marked(now.y, 6);
    const frame = {
      ...{ left: 14 + LETTER * Math.max(...heights.map(({ text }) => text.length)), right: shown - RIGHT },
      ...{ top: TOP, bottom: height - BOTTOM },
    };
    x = scale(now.x.range, [frame.left, frame.right], now.x.log);
    const y = scale(now.y.range, [frame.bottom, frame.top], now.y.log);
    const { left, right, top, bottom } = frame;
    const ends = { [now.x.range[0]]: "start", [now.x.range[1]]: "end" };
    set(node, { viewBox: `0 0 ${shown} ${height}` });
    drawn.replaceChildren(
      ...heights.flatMap(({ value, text }) => [
        h("line", { class: "hw-chart-grid", x1: left, x2: right, y1: y(value), y2: y(value) }),
        h("text", { x: left - 8, y: y(value), "text-anchor": "end" }, text),
      ]),
      h("path", { class: "hw-chart-axis", d: `M${left} ${bottom}H${right}` }),
      ...marked(now.x, (right - left) / 75).map(({ value, text }) =>
        h("text", { x: x(value), y: bottom + 21, "text-anchor": ends[value] ?? "middle" }, text),
      ),
      h("text", { x: right, y: height - 9, "text-anchor": "end" }, now.x.name),
      h("text", { x: 2, y: 11 }, now.y.name),
      ...inside({ x, y, ...frame }),
    );
    guide?.show(x(stops.values[stops.at()]), frame);
  }

  return { node, draw };
}

function marked({ range, log, ticks: own, spell = String }, most) {
  return (own ?? ticks(range, most, log)).map((value) => ({ value, text: spell(value) }));
}

function widthOf(node) {
  return Math.round(node.getBoundingClientRect().width) || WIDTH;
}

// The line that is moved, with a thumb on the axis, and above it the number that it stands at.
function guideOf({ name, values, spell, at, go }) {
  const line = h("line", { class: "hw-chart-guide" });
  const reach = h("circle", { class: "hw-handle-reach", r: 14 });
  const knob = h("circle", { class: "hw-handle", r: 8 });
  const thumb = h("g", { class: "hw-handle-thumb" }, reach, knob);
  const number = h("text", { class: "hw-chart-here", "aria-hidden": "true" });
  const say = sliding(thumb, name, values.length - 1, go);
  function show(across, { right, top, bottom }) {
    const text = spell(values[at()]);
    const half = (LETTER * text.length) / 2;
    set(line, { x1: across, x2: across, y1: top, y2: bottom });
    for (const circle of [reach, knob]) set(circle, { cx: across, cy: bottom });
    set(number, { x: Math.min(Math.max(across, half), right - half), y: top - 9, "text-anchor": "middle" });
    number.textContent = text;
    say(at(), text);
  }
  return { node: h("g", {}, line, thumb, number), thumb, show };
}
