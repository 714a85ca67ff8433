// Two arrows and their dot product, read in three ways.
// data: { a: [x, y], b: [x, y], longest }
import { addressed, between } from "../../../core/address.js";
import { dragged, placeIn } from "../../../core/handles.js";
import { h, set, show, stageOf, voice } from "../../../core/shared.js";

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

// Where a key leads from an angle and a size: left and right turn the arrow, up and down change its
// length; undefined if it leads nowhere.
export function turned(key, { angle, size }, longest) {
  const turns = { ArrowRight: 1, ArrowLeft: -1, PageUp: 15, PageDown: -15, Home: -360, End: 360 };
  const grows = { ArrowUp: 1, ArrowDown: -1 };
  if (key in turns) return { angle: Math.min(Math.max(Math.round(angle) + turns[key], -180), 180), size };
  if (!(key in grows)) return undefined;
  return { angle, size: Math.min(Math.max(size + (grows[key] * longest) / 40, 0), longest) };
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { a, b: given, longest } = model.get("data");
    const address = addressed(model, root, { angle: between(-180, 180), size: between(0, longest) });
    const state = { angle: degrees(heading(given) - heading(a)), size: length(given), ...address.given };

    const half = 1.12 * Math.max(length(a), longest);

    const at = (v) => ({ x: v[0], y: -v[1] });
    const arrow = (name) => ({
      line: h("line", { class: `hw-stroke hw-${name}` }),
      head: h("polygon", { class: `hw-fill hw-${name}` }),
      name: h("text", { class: `hw-fill hw-${name}` }, name),
    });
    const arrows = { a: arrow("a"), b: arrow("b") };
    const shadow = h("line", { class: "hw-stroke hw-shadow" });
    const drop = h("line", { class: "hw-drop" });
    const shadowName = h("text", { class: "hw-shadow-name" }, "b’s shadow");
    const reach = h("circle", { class: "hw-handle-reach", r: half * 0.1 });
    const handle = h(
      "g",
      { class: "hw-handle-thumb", role: "slider", tabindex: 0, "aria-label": "Angle from a to b, and length of b", keydown },
      reach,
    );
    const axis = (x1, y1, x2, y2) => h("line", { class: "hw-axis", x1, y1, x2, y2 });
    set(handle, { "aria-valuemin": -180, "aria-valuemax": 180 });
    const drawn = [
      axis(-half, 0, half, 0),
      axis(0, -half, 0, half),
      drop,
      shadow,
      shadowName,
      ...Object.values(arrows).flatMap((parts) => Object.values(parts)),
    ];
    const picture = h(
      "svg",
      {
        viewBox: `${-half} ${-half} ${2 * half} ${2 * half}`,
        class: "hw-arrows",
        role: "group",
        "aria-label": "Two arrows",
        style: `--hw-unit: ${half / 100}px`,
      },
      h("g", { "aria-hidden": "true" }, ...drawn),
      handle,
    );
    dragged(picture, (event) => {
      const [x, y] = placeIn(picture, event);
      handle.focus({ preventScroll: true });
      update({ angle: Math.round(degrees(heading([x, -y]) - heading(a))), size: Math.min(longest, length([x, y])) });
    });

    const readings = {};
    const reading = (key, term) => {
      readings[key] = h("dd", { "data-reading": key });
      return [h("dt", {}, term), readings[key]];
    };
    root.replaceChildren(
      h(
        "div",
        { class: "hw-side-by-side" },
        h("div", {}, picture, h("p", { class: "hw-hint" }, "Drag b’s tip, or ← → to turn it and ↑ ↓ for its length")),
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

    function keydown(event) {
      const next = event.ctrlKey || event.altKey || event.metaKey ? undefined : turned(event.key, state, longest);
      if (!next) return;
      event.preventDefault();
      update(next);
    }

    function update(change) {
      Object.assign(state, change);
      const { dot, words } = draw();
      say(`${Math.round(state.angle)} degrees: dot product ${show(dot)}, ${words}`);
      address.keep(state);
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
      const side = along + (name === "a" ? 0.16 : -0.2) * (state.angle < 0 ? -1 : 1);
      const far = long + half * (name === "a" ? 0.02 : 0.09);
      set(label, { x: far * Math.cos(side), y: far * Math.sin(side) });
    }

    function draw() {
      const { b, dot, cosine, cast } = measure(a, state.angle, state.size);
      const foot = at([cast * Math.cos(heading(a)), cast * Math.sin(heading(a))]);
      const tip = at(b);

      point("a", a);
      point("b", b);
      set(shadow, { x1: 0, y1: 0, x2: foot.x, y2: foot.y });
      set(drop, { x1: tip.x, y1: tip.y, x2: foot.x, y2: foot.y });
      // Its name stands on the side of a where b is not.
      const away = [Math.sin(heading(a)), -Math.cos(heading(a))].map((x) => (state.angle < 0 ? -x : x) * half * 0.1);
      const middle = at([(cast / 2) * Math.cos(heading(a)) + away[0], (cast / 2) * Math.sin(heading(a)) + away[1]]);
      set(shadowName, { ...middle, style: `text-anchor: ${away[0] < 0 ? "end" : "start"}` });
      shadowName.classList.toggle("hw-gone", Math.abs(cast) < half * 0.12);
      set(reach, { cx: tip.x, cy: tip.y });
      const text = `${show(state.angle, 0)} degrees, length ${show(state.size)}`;
      set(handle, { "aria-valuenow": Math.round(state.angle), "aria-valuetext": text });

      const words = state.size === 0 ? "b has no direction" : describe(Math.abs(state.angle));
      const factor = (x) => (x < 0 ? `(${show(x)})` : show(x));
      const places = a.map((x, i) => `${factor(x)} · ${factor(b[i])}`).join(" + ");
      readings.vectors.textContent = `a = (${a.map((x) => show(x)).join(", ")}), b = (${b.map((x) => show(x)).join(", ")})`;
      const rounded = (x) => Number(x.toFixed(2));
      const placed = a.reduce((sum, x, i) => sum + rounded(x) * rounded(b[i]), 0);
      const along = rounded(length(a)) * rounded(state.size) * cosine;
      readings.places.textContent = `${places} ${equals(placed, dot)} ${show(dot)}`;
      readings.angle.textContent = `${show(length(a))} · ${show(state.size)} · cos ${show(state.angle, 0)}° ${equals(along, dot)} ${show(dot)}`;
      readings.projection.textContent = show(cast);
      readings.cosine.textContent = state.size === 0 ? "not defined" : show(cosine, 3);
      readings.words.textContent = words;
      return { dot, words };
    }
  },
};
