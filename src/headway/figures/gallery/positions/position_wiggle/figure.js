// The circular wiggle: each pair (sine, cosine) is a hand, and the position turns them all.
// data: { speeds: [K], last, farthest, position, distance }
import { addressed, whole } from "../../../core/address.js";
import { dragged, sliding } from "../../../core/handles.js";
import { h, set, show, stageOf, voice } from "../../../core/shared.js";

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
export function turnedTo(position, from, to, speed, last) {
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
    const address = addressed(model, root, { position: whole(last + 1), distance: whole(farthest + 1) });
    const state = { position, distance, ...address.given };
    const places = last + farthest + 1;

    const dials = speeds.map((speed, i) => {
      const now = h("line", { class: "hw-hand", x1: 0, y1: 0 });
      const after = h("line", { class: "hw-hand-after", x1: 0, y1: 0 });
      const picture = h(
        "svg",
        { viewBox: "-55 -55 110 110", "aria-hidden": "true" },
        h("circle", { r: 50 }),
        after,
        now,
      );
      turning(picture, speed);
      const turns = Math.round(wholeTurn(speed)).toLocaleString("en");
      return { picture, now, after, whole: h("p", { class: "hw-dial" }, picture, h("span", {}, `pair ${i}: a turn in ${turns} words`)) };
    });
    const knob = (kind) => h("span", { class: `hw-knob hw-wiggle-${kind}` });
    const [here, there] = [knob("here"), knob("there")];
    const between = h("span", { class: "hw-wiggle-between" });
    const text = h("div", { class: "hw-wiggle-text", style: `--places: ${places}` }, between, here, there);
    const strip = h(
      "div",
      { class: "hw-wiggle-strip" },
      h("span", { class: "hw-wiggle-end", "aria-hidden": "true" }, "0"),
      text,
      h("span", { class: "hw-wiggle-end", "aria-hidden": "true" }, String(places - 1)),
    );
    const sayHere = sliding(here, "Position p", last, (p) => update({ position: p }));
    const sayThere = sliding(there, "Distance k", farthest, (k) => update({ distance: k }));
    along(here, (p) => update({ position: Math.min(p, last) }));
    along(there, (p) => update({ distance: Math.min(Math.max(p - state.position, 0), farthest) }));
    const vector = h("p", { class: "hw-sentence" });
    const turned = h("p", { class: "hw-doubt" });
    const product = h("p", { class: "hw-doubt" });
    root.replaceChildren(
      strip,
      h("div", { class: "hw-dials" }, ...dials.map((dial) => dial.whole)),
      vector,
      turned,
      product,
    );
    const say = voice(root);
    draw();

    // A hand of a dial is turned: the position goes as far as it takes the hand to turn so.
    function turning(picture, speed) {
      let exact, from;
      dragged(picture, ({ type, clientX, clientY }) => {
        const box = picture.getBoundingClientRect();
        const to = heading(clientX - box.left - box.width / 2, box.top + box.height / 2 - clientY);
        if (type === "pointerdown") [exact, from] = [state.position, to];
        exact = turnedTo(exact, from, to, speed, last);
        from = to;
        update({ position: Math.round(exact) });
      });
    }

    // A knob is moved along the text.
    function along(node, go) {
      dragged(node, ({ clientX }) => {
        const box = text.getBoundingClientRect();
        go(Math.min(Math.max(Math.floor(((clientX - box.left) / box.width) * places), 0), places - 1));
        node.focus({ preventScroll: true });
      });
    }

    function update(change) {
      Object.assign(state, change);
      draw();
      say(`${vector.textContent} ${product.textContent}`);
      address.keep(state);
    }

    function draw() {
      const { position: p, distance: k } = state;
      const now = encode(p, speeds), after = encode(p + k, speeds);
      dials.forEach((dial, i) => {
        set(dial.now, { x2: 46 * now[i][0], y2: -46 * now[i][1] });
        set(dial.after, { x2: 46 * after[i][0], y2: -46 * after[i][1] });
      });
      const middle = (place) => `${(100 * (place + 0.5)) / places}%`;
      here.style.left = middle(p);
      there.style.left = middle(p + k);
      Object.assign(between.style, { left: middle(p), width: `${(100 * k) / places}%` });
      here.dataset.name = `p = ${p}`;
      there.dataset.name = `p + ${k}`;
      sayHere(p, `position ${p}`);
      sayThere(k, `${k}, at position ${p + k}`);
      vector.textContent = `PE(${p}) = (${now.flat().map((x) => show(x)).join(", ")}).`;
      turned.textContent = `From p to p + k the hands turn by ${speeds.map((speed) => show(k * speed, 3)).join(", ")} radians.`;
      product.textContent = `PE(${p}) · PE(${p + k}) = ${show(dot(now, after), 3)}.`;
    }
  },
};
