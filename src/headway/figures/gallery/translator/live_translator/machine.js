// The machine's drawing as the figure's control: each part opens its numbers. One of them is pressed
// and a stop of Tab; the arrow keys, Home and End lead to the others.
import { h, set } from "../../../core/shared.js";

// html: what headway.figures.machine.buttons draws, wide and compact, of which one is seen;
// opened: id of the node where numbers are opened; says: id of the sentence about them.
// onOpen(place) is called when a part is pressed.
export function machineButtons(html, opened, says, onOpen) {
  const node = h("div", {});
  node.innerHTML = html;
  const drawings = [...node.querySelectorAll("svg")].map((svg) => {
    set(svg, { "aria-describedby": says });
    return [...svg.querySelectorAll("[role=button]")];
  });
  for (const buttons of drawings) {
    buttons.forEach((button, i) => {
      set(button, { "aria-controls": opened });
      button.addEventListener("click", () => onOpen(button.dataset.place));
      button.addEventListener("keydown", (event) => {
        const [on, back, end] = [i + 1, i - 1, buttons.length - 1];
        const leads = { ArrowRight: on, ArrowDown: on, ArrowLeft: back, ArrowUp: back, Home: 0, End: end, Enter: i, " ": i };
        const next = buttons[leads[event.key]];
        if (!next || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        next.focus();
        onOpen(next.dataset.place);
      });
    });
  }
  return {
    node,
    // Presses the part of this place in both drawings; returns its name.
    press(place) {
      for (const button of drawings.flat()) {
        const pressed = button.dataset.place === place;
        set(button, { "aria-pressed": pressed, tabindex: pressed ? 0 : -1 });
      }
      return drawings[0].find((button) => button.dataset.place === place).getAttribute("aria-label");
    },
  };
}
