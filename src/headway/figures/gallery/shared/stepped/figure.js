// A drawing played step by step. It is whole at first; Play begins with the first step. Where the
// reader has asked for less motion there is no Play, and steps come without a transition.
import { addressed, whole } from "../../../core/address.js";
import { h, stageOf, voice } from "../../../core/shared.js";

// Milliseconds to read a letter, and to look at what has moved.
const READING = 45;
const LOOKING = 1000;
const MOTION = 1400; // how long one takes
const ROOM = 16; // pixels around what is scrolled into view

// The step to go to from one of `count`: 0 is before the first.
export function stepAfter(key, step, count) {
  const moves = { ArrowRight: step + 1, ArrowLeft: step - 1, Home: 1, End: count };
  return key in moves ? Math.min(count, Math.max(1, moves[key])) : undefined;
}

// How long a step is shown whose last motion begins `after` seconds from its beginning.
export function pauseOf(sentence, after) {
  return Math.max(READING * sentence.length, 1000 * after + MOTION + LOOKING);
}

// How far down to scroll until what goes from top to bottom is between ceiling and floor, or, if it
// is too tall, begins at the ceiling.
export function scrollBetween(top, bottom, ceiling, floor) {
  if (bottom - top > floor - ceiling || top < ceiling) return top - ceiling;
  return Math.max(0, bottom - floor);
}

function render({ model, el }) {
  const { steps } = model.get("data");
  const stage = stageOf(model, el);
  const figure = stage.closest(".hw-figure");
  const player = stage.parentElement;
  const parts = [...figure.querySelectorAll(".hw-drawing [data-step]")];
  const sentences = [...figure.querySelectorAll(".hw-steps li")];
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let step = steps.length;
  const address = addressed(model, stage, { step: whole(steps.length, 1) });
  let timer;

  const play = h("button", { type: "button", class: "hw-play", click: toggle });
  const back = h("button", { type: "button", click: () => walk(step - 1) }, "Back");
  const next = h("button", { type: "button", click: () => walk(step + 1) }, "Next");
  const place = h("span", { class: "hw-place" });
  const controls = h(
    "div",
    { class: "hw-controls", role: "toolbar", "aria-label": "Steps of the drawing" },
    still ? null : play,
    back,
    next,
    place,
  );
  stage.replaceChildren(controls);
  const say = voice(stage);

  function show() {
    for (const part of parts) {
      const own = Number(part.dataset.step);
      part.classList.toggle("hw-later", own > step);
      part.classList.toggle("hw-faded", Number(part.dataset.until) <= step);
      part.classList.toggle("hw-now", own === step && !figure.classList.contains("hw-whole"));
    }
    sentences.forEach((one, i) => one.classList.toggle("hw-now", i + 1 === step));
    place.textContent = `Step ${step} of ${steps.length}`;
    // Not `disabled`, which would take the focus away from whoever steps with the keys.
    back.ariaDisabled = step <= 1;
    next.ariaDisabled = step >= steps.length;
    play.textContent = timer ? "Pause" : "Play";
  }

  function go(to) {
    figure.classList.remove("hw-whole");
    figure.classList.add("hw-played");
    step = Math.min(steps.length, Math.max(1, to));
    show();
    follow();
  }

  // What a reader does ends the playing.
  function walk(to) {
    stop();
    go(to);
    say(`Step ${step}: ${steps[step - 1]}`);
    address.keep({ step });
  }

  // Scrolls the window until what is drawn in this step is seen.
  function follow() {
    const boxes = drawn().map((part) => part.getBoundingClientRect());
    if (!boxes.length) return;
    const top = Math.min(...boxes.map((box) => box.top)) - ROOM;
    const bottom = Math.max(...boxes.map((box) => box.bottom)) + ROOM;
    const ceiling = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
    const way = scrollBetween(top, bottom, ceiling, innerHeight - player.offsetHeight);
    scrollBy({ top: way, behavior: still ? "auto" : "smooth" });
  }

  // The parts of this step, in the form of the drawing that is shown.
  function drawn() {
    return parts.filter((part) => Number(part.dataset.step) === step && part.getClientRects().length);
  }

  function stop() {
    clearTimeout(timer);
    timer = undefined;
  }

  function goOn() {
    const moving = drawn().flatMap((part) => [...part.querySelectorAll("[style*='--after']")]);
    const after = moving.map((one) => parseFloat(one.style.getPropertyValue("--after")));
    timer = setTimeout(
      () => {
        if (step >= steps.length) return finish();
        go(step + 1);
        goOn();
      },
      pauseOf(steps[step - 1], Math.max(0, ...after)),
    );
    show();
  }

  // At its end it is whole again.
  function finish() {
    stop();
    figure.classList.add("hw-whole");
    show();
  }

  function toggle() {
    if (timer) {
      stop();
      return show();
    }
    walk(step >= steps.length ? 1 : step + 1);
    goOn();
  }

  controls.addEventListener("keydown", (event) => {
    const to = stepAfter(event.key, step, steps.length);
    if (to === undefined) return;
    event.preventDefault();
    walk(to);
  });
  figure.classList.add("hw-whole", "hw-playable");
  if (address.given.step) go(address.given.step);
  else show();
  return stop;
}

export default { render };
