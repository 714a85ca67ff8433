// What a reader has set in a figure stands in the address of the page, as in "?bars.stop=3", so that
// a link brings it back. Each figure has a key of its own. In a live notebook nothing is kept.
import { h } from "./shared.js";

const PAUSE = 300; // milliseconds; browsers refuse addresses that change all the time

// What an address may say: each takes the text, and gives its value, or undefined if it is none.
export function whole(count, first = 0) {
  return (text) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= first && value < first + count ? value : undefined;
  };
}

export function between(low, high) {
  return (text) => {
    const value = text.trim() ? Number(text) : NaN;
    return value >= low && value <= high ? value : undefined;
  };
}

export function flag(text) {
  return { 0: false, 1: true }[text];
}

export function textUpTo(most) {
  return (text) => (text.trim() && text.length <= most ? text : undefined);
}

export function bits(count) {
  return (text) => (/^[01]*$/.test(text) && text.length === count ? [...text].map((bit) => bit === "1") : undefined);
}

// The values of one figure in the query of an address, without those that its fields refuse.
export function valuesIn(query, key, fields) {
  const all = new URLSearchParams(query);
  const found = Object.entries(fields).map(([name, read]) => {
    const text = all.get(`${key}.${name}`);
    return [name, text === null ? undefined : read(text)];
  });
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

// A query with the values of one figure, at its end.
export function queryWith(query, key, values) {
  const all = new URLSearchParams(query);
  for (const name of [...all.keys()]) if (name.startsWith(`${key}.`)) all.delete(name);
  for (const [name, value] of Object.entries(values)) all.append(`${key}.${name}`, spelled(value));
  return `?${all}`;
}

function spelled(value) {
  if (Array.isArray(value)) return value.map(spelled).join("");
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "number" ? String(Number(value.toFixed(3))) : value;
}

// The figure whose values stand last, which is the one that was changed last.
function lastKey(query) {
  return [...new URLSearchParams(query).keys()].at(-1)?.split(".")[0];
}

// Connects a figure with the address. fields: { name: what it may be }.
// → given: the values that the address has for it; keep(state): to call when the reader has changed it
export function addressed(model, root, fields) {
  const figure = model.get("frame") ? null : root.closest("[data-headway-figure]");
  if (!figure) return { given: {}, keep() {} };
  const name = figure.dataset.headwayFigure;
  const same = [...document.querySelectorAll(`[data-headway-figure="${name}"]`)];
  const key = [name, same.indexOf(figure) + 1].join("-").replace(/-1$/, "");
  const given = valuesIn(location.search, key, fields);
  const link = h("button", { type: "button", class: "hw-copy-link", hidden: true, click: copy }, "Copy link");
  figure.querySelector(":scope > .hw-copy-link")?.remove();
  figure.insertBefore(link, figure.querySelector(":scope > .hw-numbers"));
  let values, waiting;
  if (Object.keys(given).length) {
    keepable({ ...given });
    if (lastKey(location.search) === key && !location.hash) whenLoaded(() => reveal(figure));
  }
  return { given, keep };

  function keepable(now) {
    values = now;
    link.hidden = !navigator.clipboard;
  }

  function keep(state) {
    keepable(Object.fromEntries(Object.keys(fields).map((field) => [field, state[field]])));
    clearTimeout(waiting);
    waiting = setTimeout(write, PAUSE);
  }

  // A figure that was mounted anew has another link, and writes for itself.
  function write() {
    if (!link.isConnected) return;
    try {
      history.replaceState(history.state, "", queryWith(location.search, key, values) + location.hash);
    } catch {
      // A page opened from disk keeps its address.
    }
  }

  async function copy() {
    await navigator.clipboard.writeText(location.origin + location.pathname + queryWith("", key, values));
    link.textContent = "Link copied";
    setTimeout(() => (link.textContent = "Copy link"), 2000);
  }
}

function whenLoaded(act) {
  if (document.readyState === "complete") act();
  else addEventListener("load", act, { once: true });
}

// Brings a figure into view, out of what is folded around it.
function reveal(figure) {
  for (let fold = figure.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  figure.scrollIntoView({ block: "center", behavior: "instant" });
}
