// A drawing that scrolling plays. It stays while the sentences about it go by; each brings its
// steps as it comes up, and what is new in a drawing taller than its place is moved into view.
import { h } from "../../../core/shared.js";

const READ_AT = { tall: 0.86, wide: 0.62 }; // where on the screen a sentence is reached
const SMALLEST = 0.74; // a drawing that is a little too tall is made smaller, down to this

// The sentence that has been reached last, -1 before the first: tops are where they begin.
export function reached(tops, line) {
  return tops.filter((top) => top < line).length - 1;
}

// How wide a drawing of some proportion becomes in a place, and how far it reaches below it.
export function fitted(ratio, width, height) {
  const tall = width / ratio;
  const scale = tall > height && height / tall >= SMALLEST ? height / tall : 1;
  return { width: scale * width, below: Math.max(0, scale * tall - height) };
}

// How far up a drawing moves, so that what is new lies in the middle of its place.
export function moved(top, bottom, height, below) {
  const middle = bottom - top > height ? top + height / 2 : (top + bottom) / 2;
  return Math.min(below, Math.max(0, middle - height / 2));
}

function render({ model, el }) {
  const scene = el.closest(".hw-scene");
  const { until } = model.get("data");
  const place = scene.querySelector(".hw-scene-picture");
  const drawing = place.firstElementChild;
  const parts = [...drawing.querySelectorAll("[data-step]")];
  const cards = [...scene.querySelectorAll(".hw-scene-cards > li")];
  linkCopies(scene);
  if (getComputedStyle(place).position !== "sticky") return;
  let now;

  function fit() {
    const svg = [...drawing.children].find((form) => form.getClientRects().length);
    const { width: wide, height: tall } = svg.viewBox.baseVal;
    svg.style.width = "";
    const most = parseFloat(getComputedStyle(svg).maxWidth);
    const width = Math.min(drawing.clientWidth, most || Infinity);
    const height = drawing.clientHeight;
    const fits = fitted(wide / tall, width, height);
    svg.style.width = `${fits.width}px`;
    const drawn = fits.width / wide; // pixels for a unit
    const fresh = parts.filter((part) => svg.contains(part) && part.matches(".hw-now"));
    const boxes = fresh.map((part) => part.getBBox()).filter((box) => box.width + box.height > 0);
    const tops = boxes.map((box) => drawn * box.y);
    const bottoms = boxes.map((box) => drawn * (box.y + box.height));
    const up = moved(Math.min(...tops), Math.max(...bottoms), height, fits.below);
    drawing.style.setProperty("--up", `${boxes.length ? -up : 0}px`);
    drawing.classList.toggle("hw-tall", fits.below > 0);
  }

  function show(card) {
    if (card === now) return;
    now = card;
    const last = until[Math.max(0, card)];
    const before = card > 0 ? until[card - 1] : 0;
    for (const part of parts) {
      const own = Number(part.dataset.step);
      part.classList.toggle("hw-later", own > last);
      part.classList.toggle("hw-faded", Number(part.dataset.until) <= last);
      part.classList.toggle("hw-now", own > before && own <= last);
    }
    scene.classList.toggle("hw-whole", card === cards.length - 1);
    cards.forEach((one, i) => one.classList.toggle("hw-now", i === Math.max(0, card)));
    fit();
  }

  function follow() {
    const wide = getComputedStyle(place.parentElement).display === "grid";
    const line = innerHeight * (wide ? READ_AT.wide : READ_AT.tall);
    show(reached(cards.map((card) => card.getBoundingClientRect().top), line));
  }

  // One watch for either line: a card that enters or leaves the upper part of the screen.
  for (const line of Object.values(READ_AT)) {
    const rootMargin = `0px 0px -${Math.round(100 * (1 - line))}% 0px`;
    const watch = new IntersectionObserver(follow, { rootMargin });
    for (const card of cards) watch.observe(card);
  }
  new IntersectionObserver(([{ isIntersecting }]) => markTick(scene, isIntersecting), {
    rootMargin: "-50% 0px -50% 0px",
  }).observe(scene);
  new ResizeObserver(fit).observe(place);
  scene.classList.add("hw-playable");
  follow();
}

// The mark of the picture that is being read, in the list of all of them.
function markTick(scene, here) {
  const tick = document.querySelector(`.hw-ticks [data-page="${scene.dataset.page}"]`);
  if (here) tick?.setAttribute("aria-current", "true");
  else tick?.removeAttribute("aria-current");
}

// The link to a picture copies its address.
function linkCopies(scene) {
  const link = scene.querySelector(".hw-scene-copy");
  if (!link || !navigator.clipboard) return;
  const said = h("span", { role: "status" });
  link.after(said);
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    await navigator.clipboard.writeText(link.href);
    said.textContent = "Copied";
    setTimeout(() => (said.textContent = ""), 2000);
  });
}

export default { render };
