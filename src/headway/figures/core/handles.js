// What is taken hold of in a picture, by mouse, pen or finger, and by the keyboard, for which it
// is a slider.
import { set } from "./shared.js";

// Calls follow(event) when a pointer is pressed on a node, and at each of its moves until it is let
// go. If follow returns false at the press, nothing is dragged. What is dragged sideways only lets
// a finger that goes up or down scroll the page, and is not changed by it.
export function dragged(node, follow, { sideways = false } = {}) {
  node.classList.add("hw-draggable");
  if (sideways) node.classList.add("hw-sideways");
  node.addEventListener("pointerdown", (press) => {
    const waits = sideways && press.pointerType === "touch";
    if (press.button || (!waits && follow(press) === false)) return;
    press.preventDefault(); // no text is selected on the way
    node.setPointerCapture(press.pointerId);
    node.classList.add("hw-held");
    const along = ({ clientX, clientY }) => Math.abs(clientX - press.clientX) > Math.abs(clientY - press.clientY);
    const move = (event) => (!waits || along(event)) && follow(event);
    const end = (event) => {
      if (waits && event.type === "pointerup") follow(event);
      for (const [name, listener] of listeners) node.removeEventListener(name, listener);
      node.classList.remove("hw-held");
    };
    const listeners = Object.entries({ pointermove: move, pointerup: end, pointercancel: end });
    for (const [name, listener] of listeners) node.addEventListener(name, listener);
  });
}

// Where a pointer is in a drawing, in its own units: [x, y].
export function placeIn(drawing, { clientX, clientY }) {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(drawing.getScreenCTM().inverse());
  return [x, y];
}

// The place of the number that is nearest to one.
export function nearest(numbers, to) {
  return numbers.reduce((best, x, i) => (Math.abs(x - to) < Math.abs(numbers[best] - to) ? i : best), 0);
}

// Where a key leads from a stop of 0 … last; undefined if it leads nowhere.
export function stopAfter({ key, ctrlKey, altKey, metaKey }, at, last) {
  const far = Math.max(1, Math.round(last / 10));
  const stops = {
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    PageUp: at + far,
    PageDown: at - far,
    Home: 0,
    End: last,
  };
  if (ctrlKey || altKey || metaKey || !(key in stops)) return undefined;
  return Math.min(Math.max(stops[key], 0), last);
}

// Makes a node a slider over the stops 0 … last; go(stop) is called with where a key leads.
// → show(stop, text, last): what it stands at, in words, and the last stop if it has changed
export function sliding(node, name, last, go) {
  let [at, end] = [0, last];
  set(node, { role: "slider", tabindex: 0, "aria-label": name, "aria-valuemin": 0 });
  node.addEventListener("keydown", (event) => {
    const stop = stopAfter(event, at, end);
    if (stop === undefined) return;
    event.preventDefault();
    go(stop);
  });
  return (stop, text, most = end) => {
    [at, end] = [stop, most];
    set(node, { "aria-valuemax": end, "aria-valuenow": at, "aria-valuetext": text });
  };
}
