// A drawing played step by step. It is whole at first; Play begins with the first step. Where the
// reader has asked for less motion there is no Play, and steps come without a transition.
import { addressed, whole } from "../../../core/address.js";
import { h, stageOf, voice } from "../../../core/shared.js";

const PAUSE = 2600; // milliseconds from one step to the next

// The step to go to from one of `count`: 0 is before the first.
export function stepAfter(key, step, count) {
  const moves = { ArrowRight: step + 1, ArrowLeft: step - 1, Home: 1, End: count };
  return key in moves ? Math.min(count, Math.max(1, moves[key])) : undefined;
}

function render({ model, el }) {
  const { steps } = model.get("data");
  const stage = stageOf(model, el);
  const figure = stage.closest(".hw-figure");
  const parts = [...figure.querySelectorAll(".hw-drawing [data-step]")];
  const sentences = [...figure.querySelectorAll(".hw-steps li")];
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let step = steps.length;
  const address = addressed(model, stage, { step: whole(steps.length, 1) });
  let timer;

  const play = h("button", { type: "button", class: "hw-play", click: toggle });
  const back = h("button", { type: "button", click: () => go(step - 1) }, "Back");
  const next = h("button", { type: "button", click: () => go(step + 1) }, "Next");
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
    stop();
    figure.classList.remove("hw-whole");
    step = Math.min(steps.length, Math.max(1, to));
    show();
    say(`Step ${step}: ${steps[step - 1]}`);
    address.keep({ step });
  }

  function stop() {
    clearInterval(timer);
    timer = undefined;
  }

  function toggle() {
    if (timer) {
      stop();
      return show();
    }
    go(step >= steps.length ? 1 : step + 1);
    timer = setInterval(() => {
      if (step >= steps.length) stop();
      else step += 1;
      show();
    }, PAUSE);
    show();
  }

  controls.addEventListener("keydown", (event) => {
    const to = stepAfter(event.key, step, steps.length);
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
  figure.classList.add("hw-whole", "hw-playable");
  if (address.given.step) go(address.given.step);
  else show();
  return stop;
}

export default { render };
