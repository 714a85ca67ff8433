// The circular wiggle: each pair (sine, cosine) is a hand, and the position turns them all.
// data: { speeds: [K], last, farthest, position, distance }
import { h, labelled, range, set, show, stageOf, voice } from "../../../core/shared.js";

// The pairs (sine, cosine) of a position.
export function encode(position, speeds) {
  return speeds.map((speed) => [Math.sin(position * speed), Math.cos(position * speed)]);
}

// The dot product of two lists of pairs.
export function dot(one, other) {
  return one.reduce((sum, [x, y], i) => sum + x * other[i][0] + y * other[i][1], 0);
}

// The angle of a hand that points to the right by x and up by y, clockwise from the top.
export function heading(x, y) {
  return Math.atan2(x, y);
}

// Where a position comes to lie when a hand of this speed is dragged from one angle to another,
// the shorter way round.
export function dragged(position, from, to, speed, last) {
  const turn = Math.atan2(Math.sin(to - from), Math.cos(to - from));
  return Math.min(Math.max(position + turn / speed, 0), last);
}

// After how many positions a hand is back at the top.
export function wholeTurn(speed) {
  return (2 * Math.PI) / speed;
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { speeds, last, farthest, position, distance } = model.get("data");
    const state = { position, distance };

    const dials = speeds.map((speed, i) => {
      const now = h("line", { class: "hw-hand", x1: 0, y1: 0 });
      const after = h("line", { class: "hw-hand-after", x1: 0, y1: 0 });
      const picture = h(
        "svg",
        { viewBox: "-55 -55 110 110", "aria-hidden": "true", pointerdown: (event) => grab(event, speed) },
        h("circle", { r: 50 }),
        after,
        now,
      );
      const turns = Math.round(wholeTurn(speed)).toLocaleString("en");
      return { picture, now, after, whole: h("p", { class: "hw-dial" }, picture, h("span", {}, `pair ${i}: a turn in ${turns} words`)) };
    });
    const place = range(0, last, 1, position, (p) => update({ position: p }));
    const far = range(0, farthest, 1, distance, (k) => update({ distance: k }));
    const placeShown = h("span", { class: "hw-value", "aria-hidden": "true" });
    const farShown = h("span", { class: "hw-value", "aria-hidden": "true" });
    const vector = h("p", { class: "hw-sentence" });
    const turned = h("p", { class: "hw-doubt" });
    const product = h("p", { class: "hw-doubt" });
    root.replaceChildren(
      h(
        "div",
        { class: "hw-controls" },
        labelled("Position p", place, placeShown),
        labelled("Distance k", far, farShown),
      ),
      h("div", { class: "hw-dials" }, ...dials.map((dial) => dial.whole)),
      vector,
      turned,
      product,
    );
    const say = voice(root);
    draw();

    function grab(event, speed) {
      const picture = event.currentTarget;
      const angle = ({ clientX, clientY }) => {
        const box = picture.getBoundingClientRect();
        return heading(clientX - box.left - box.width / 2, box.top + box.height / 2 - clientY);
      };
      let exact = state.position, from = angle(event);
      picture.setPointerCapture(event.pointerId);
      picture.onpointermove = (move) => {
        const to = angle(move);
        exact = dragged(exact, from, to, speed, last);
        from = to;
        update({ position: Math.round(exact) });
      };
      picture.onpointerup = picture.onpointercancel = () => (picture.onpointermove = null);
    }

    function update(change) {
      Object.assign(state, change);
      draw();
      say(`${vector.textContent} ${product.textContent}`);
    }

    function draw() {
      const { position: p, distance: k } = state;
      const here = encode(p, speeds), there = encode(p + k, speeds);
      dials.forEach(({ now, after }, i) => {
        set(now, { x2: 46 * here[i][0], y2: -46 * here[i][1] });
        set(after, { x2: 46 * there[i][0], y2: -46 * there[i][1] });
      });
      place.value = p;
      far.value = k;
      placeShown.textContent = p;
      farShown.textContent = k;
      vector.textContent = `PE(${p}) = (${here.flat().map((x) => show(x)).join(", ")}).`;
      turned.textContent = `From p to p + k the hands turn by ${speeds.map((speed) => show(k * speed, 3)).join(", ")} radians.`;
      product.textContent = `PE(${p}) · PE(${p + k}) = ${show(dot(here, there), 3)}.`;
    }
  },
};
