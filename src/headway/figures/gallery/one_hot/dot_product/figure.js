// Two arrows and their dot product, read in three ways.
// data: { a: [x, y], b: [x, y], longest }
import { h, labelled, range, set, show, stageOf, voice } from "../../../core/shared.js";

const length = (v) => Math.hypot(v[0], v[1]);
const heading = (v) => Math.atan2(v[1], v[0]);

// An angle in radians as one in degrees, in −180 … 180.
export function degrees(turn) {
  const full = (turn * 180) / Math.PI;
  return full > 180 ? full - 360 : full <= -180 ? full + 360 : full;
}

// The arrow b of this size, at this angle from a in degrees; and what the two give: their dot
// product, their cosine, and the signed length of the shadow that b casts on a.
export function measure(a, angle, size) {
  const theta = (angle * Math.PI) / 180;
  const direction = heading(a) + theta;
  const b = [size * Math.cos(direction), size * Math.sin(direction)];
  const cosine = Math.cos(theta);
  return { b, dot: a[0] * b[0] + a[1] * b[1], cosine, cast: size * cosine };
}

// The sign between shown numbers, which are rounded, and what they give.
export function equals(shown, exact) {
  return Math.abs(shown - exact) < 1e-6 ? "=" : "≈";
}

// An angle of 0 … 180 degrees in words.
export function describe(turn) {
  if (turn < 0.5) return "same direction";
  if (turn > 179.5) return "opposite";
  if (Math.abs(turn - 90) < 0.5) return "perpendicular";
  return turn < 90 ? "partly the same direction" : "partly opposite";
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { a, b: given, longest } = model.get("data");
    const state = { angle: degrees(heading(given) - heading(a)), size: length(given) };

    const half = 1.12 * Math.max(length(a), longest);
    const angle = range(-180, 180, 1, Math.round(state.angle), (value) => update({ angle: value }));
    const size = range(0, longest, longest / 40, state.size, (value) => update({ size: value }));
    const angleShown = h("span", { class: "hw-value", "aria-hidden": "true" });
    const sizeShown = h("span", { class: "hw-value", "aria-hidden": "true" });

    const at = (v) => ({ x: v[0], y: -v[1] });
    const arrow = (name) => ({
      line: h("line", { class: `hw-stroke hw-${name}` }),
      head: h("polygon", { class: `hw-fill hw-${name}` }),
      name: h("text", { class: `hw-fill hw-${name}` }, name),
    });
    const arrows = { a: arrow("a"), b: arrow("b") };
    const shadow = h("line", { class: "hw-stroke hw-shadow" });
    const drop = h("line", { class: "hw-drop" });
    const handle = h("circle", { class: "hw-handle", r: half * 0.06, pointerdown: grab });
    const axis = (x1, y1, x2, y2) => h("line", { class: "hw-axis", x1, y1, x2, y2 });
    const picture = h(
      "svg",
      {
        viewBox: `${-half} ${-half} ${2 * half} ${2 * half}`,
        class: "hw-arrows",
        "aria-hidden": "true",
        style: `--hw-unit: ${half / 100}px`,
      },
      axis(-half, 0, half, 0),
      axis(0, -half, 0, half),
      drop,
      shadow,
      ...Object.values(arrows).flatMap((parts) => Object.values(parts)),
      handle,
    );

    const readings = {};
    const reading = (key, term) => {
      readings[key] = h("dd", { "data-reading": key });
      return [h("dt", {}, term), readings[key]];
    };
    root.replaceChildren(
      h(
        "div",
        { class: "hw-controls" },
        labelled("Angle from a to b", angle, angleShown),
        labelled("Length of b", size, sizeShown),
      ),
      h(
        "div",
        { class: "hw-side-by-side" },
        picture,
        h(
          "dl",
          { class: "hw-readings" },
          ...reading("vectors", "Components"),
          ...reading("places", "Place by place"),
          ...reading("angle", "Lengths and angle"),
          ...reading("projection", "Signed length of b’s shadow on a"),
          ...reading("cosine", "Cosine similarity"),
          ...reading("words", "In words"),
        ),
      ),
    );
    const say = voice(root);
    draw();

    function grab(event) {
      handle.setPointerCapture(event.pointerId);
      handle.onpointermove = (move) => {
        const box = picture.getBoundingClientRect();
        const x = ((move.clientX - box.left) / box.width - 0.5) * 2 * half;
        const y = (0.5 - (move.clientY - box.top) / box.height) * 2 * half;
        const turn = degrees(heading([x, y]) - heading(a));
        update({ angle: Math.round(turn), size: Math.min(longest, length([x, y])) });
      };
      handle.onpointerup = () => (handle.onpointermove = null);
    }

    function update(change) {
      Object.assign(state, change);
      const { dot, words } = draw();
      say(`${Math.round(state.angle)} degrees: dot product ${show(dot)}, ${words}`);
    }

    function point(name, tip) {
      const { line, head, name: label } = arrows[name];
      const { x, y } = at(tip);
      const along = Math.atan2(y, x);
      const long = Math.hypot(x, y);
      const barb = Math.min(half * 0.08, long);
      const corner = (turn) => [x - barb * Math.cos(along + turn), y - barb * Math.sin(along + turn)];
      const neck = Math.max(0, long - barb * 0.8);
      set(line, { x1: 0, y1: 0, x2: neck * Math.cos(along), y2: neck * Math.sin(along) });
      set(head, { points: [[x, y], corner(0.45), corner(-0.45)].map(String).join(" ") });
      // The names keep clear of each other: a's on one side of its arrow, b's on the other.
      const side = along + (name === "a" ? 0.16 : -0.16) * (state.angle < 0 ? -1 : 1);
      const reach = long + half * 0.02;
      set(label, { x: reach * Math.cos(side), y: reach * Math.sin(side) });
    }

    function draw() {
      const { b, dot, cosine, cast } = measure(a, state.angle, state.size);
      const foot = at([cast * Math.cos(heading(a)), cast * Math.sin(heading(a))]);
      const tip = at(b);

      point("a", a);
      point("b", b);
      set(shadow, { x1: 0, y1: 0, x2: foot.x, y2: foot.y });
      set(drop, { x1: tip.x, y1: tip.y, x2: foot.x, y2: foot.y });
      set(handle, { cx: tip.x, cy: tip.y });
      angle.value = Math.round(state.angle);
      size.value = state.size;
      angleShown.textContent = `${show(state.angle, 0)}°`;
      sizeShown.textContent = show(state.size);

      const words = state.size === 0 ? "b has no direction" : describe(Math.abs(state.angle));
      const factor = (x) => (x < 0 ? `(${show(x)})` : show(x));
      const places = a.map((x, i) => `${factor(x)} · ${factor(b[i])}`).join(" + ");
      readings.vectors.textContent = `a = (${a.map((x) => show(x)).join(", ")}), b = (${b.map((x) => show(x)).join(", ")})`;
      const rounded = (x) => Number(x.toFixed(2));
      const placed = a.reduce((sum, x, i) => sum + rounded(x) * rounded(b[i]), 0);
      const turned = rounded(length(a)) * rounded(state.size) * cosine;
      readings.places.textContent = `${places} ${equals(placed, dot)} ${show(dot)}`;
      readings.angle.textContent = `${show(length(a))} · ${show(state.size)} · cos ${show(state.angle, 0)}° ${equals(turned, dot)} ${show(dot)}`;
      readings.projection.textContent = show(cast);
      readings.cosine.textContent = state.size === 0 ? "not defined" : show(cosine, 3);
      readings.words.textContent = words;
      return { dot, words };
    }
  },
};
