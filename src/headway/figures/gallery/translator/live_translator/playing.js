// The picture is played once, when it has come into view, and again where the reader asks for it. The
// style sheet moves it; here it is started, held and ended. Where the reader has asked for less motion
// nothing moves, and there is no button.
import { h } from "../../../core/shared.js";

// → { button, play(), end() }; the button is null where nothing moves.
export function player(node) {
  const names = { waits: "Play", plays: "Pause", pauses: "Go on", ends: "Play again" };
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const label = h("span", {});
  const button = h("button", { type: "button", class: "hw-threads-chip hw-threads-play", click: () => (now === "plays" ? turn("pauses") : now === "pauses" ? turn("plays") : play()) }, label);
  let now;
  node.dataset.live = "";

  function turn(to) {
    now = to;
    node.classList.toggle("hw-plays", now !== "ends");
    node.classList.toggle("hw-paused", now === "waits" || now === "pauses");
    button.dataset.now = now;
    label.textContent = names[now];
  }

  function play() {
    if (still) return;
    turn("ends");
    node.getBoundingClientRect(); // so that the style sheet begins anew
    turn("plays");
  }

  // The last word has come.
  node.addEventListener("animationend", ({ target }) => {
    if (target.matches(".hw-answer:last-child")) turn("ends");
  });
  turn(still ? "ends" : "waits");
  if (!still) {
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      if (now === "waits") play();
    }, { threshold: 0.5 });
    watch.observe(node);
  }
  return { button: still ? null : button, play, end: () => turn("ends") };
}
