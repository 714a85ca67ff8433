// The sliders of a draw: temperature, top-k and top-p.
import { h, labelled, range, set } from "./shared.js";

const TEMPERATURES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.4, 1.6, 1.8, 2];
const COUNTS = [1, 2, 3, 5, 10, 20, 50, 100, null]; // of top-k; null: all
const SHARES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1]; // of top-p

// Three sliders that filter nothing at first; onChange({ temperature, topK, topP }) at each move.
export function filterSliders(onChange) {
  const filters = { temperature: 1, topK: null, topP: 1 };
  return [
    slider("Temperature", TEMPERATURES, "temperature", String),
    slider("Top-k", COUNTS, "topK", (k) => (k === null ? "all" : String(k))),
    slider("Top-p", SHARES, "topP", String),
  ];

  // A slider through `stops`, which sets one of the filters.
  function slider(label, stops, filter, named) {
    const at = stops.indexOf(filters[filter]);
    const value = h("span", { class: "hw-value", "aria-hidden": "true" }, named(stops[at]));
    const control = range(0, stops.length - 1, 1, at, (i) => {
      filters[filter] = stops[i];
      value.textContent = named(stops[i]);
      set(control, { "aria-valuetext": named(stops[i]) });
      onChange({ ...filters });
    });
    set(control, { "aria-valuetext": named(stops[at]) });
    return labelled(label, control, value);
  }
}
