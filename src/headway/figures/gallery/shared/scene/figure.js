// A drawing that scrolling plays. It stays while the sentences about it go by; each brings its
// steps as it comes up, and what is new in a drawing taller than its place is moved into view.
import { h } from "../../../core/shared.js";

const READ_AT = { tall: 0.86, wide: 0.62 }; // where on the screen a sentence is reached
const SMALLEST = 0.74; // a drawing that is a little too tall is made smaller, down to this
const FARTHEST = 0.6; // and so is a taller one while what is new in it would not fit

// The sentence that has been reached last, -1 before the first: tops are where they begin.
export function reached(tops, line) {
  return tops.filter((top) => top < line).length - 1;
}

// How wide and tall a drawing of some proportion becomes in a place.
export function fitted(ratio, width, height) {
  const tall = width / ratio;
  const scale = tall > height && height / tall >= SMALLEST ? height / tall : 1;
  return { width: scale * width, tall: scale * tall };
}

// How a drawing is seen in a place when what goes from top to bottom is new: how much smaller, and
// how far up it moves, so that this lies in the middle.
export function view(top, bottom, tall, height) {
  const zoom = Math.min(1, Math.max(FARTHEST, height / (bottom - top)));
  const below = Math.max(0, zoom * tall - height);
  const middle = Math.min((zoom * (top + bottom)) / 2, zoom * top + height / 2);
  return { zoom, up: Math.min(below, Math.max(0, middle - height / 2)) };
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
    const top = drawn * Math.min(...boxes.map((box) => box.y), tall);
    const bottom = drawn * Math.max(...boxes.map((box) => box.y + box.height), 0);
    const { zoom, up } = view(top, Math.max(top + 1, bottom), fits.tall, height);
    drawing.style.setProperty("--up", `${-up}px`);
    drawing.style.setProperty("--zoom", zoom);
    drawing.classList.toggle("hw-tall", fits.tall > height + 1);
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
  new ResizeObserver(fit).observe(place);
  markTick(scene);
  scene.classList.add("hw-playable");
  follow();
}

// The mark of the picture that is being read, in the list of all of them.
function markTick(scene) {
  const tick = document.querySelector(`.hw-ticks [data-page="${scene.dataset.page}"]`);
  if (!tick) return;
  const rootMargin = "-50% 0px -50% 0px";
  const watch = new IntersectionObserver((crossings) => {
    const { isIntersecting } = crossings.at(-1); // a busy page tells several at once
    if (isIntersecting) tick.setAttribute("aria-current", "true");
    else tick.removeAttribute("aria-current");
  }, { rootMargin });
  watch.observe(scene.closest("section"));
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
