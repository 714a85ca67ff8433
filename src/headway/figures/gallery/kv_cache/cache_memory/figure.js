// How much memory a cache takes: a number for each size, filled in by a menu of models.
// data: { models: [{ name, layers, heads, width, length, window }], start, room, items: [bytes] }
import { addressed, between, whole } from "../../../core/address.js";
import { h, labelled, select, show, stageOf, voice } from "../../../core/shared.js";

// A whole number within the limits; of a text that is none, the least one.
export function wholeNumber(text, least, most) {
  const number = Math.floor(Number(text));
  return Math.min(Math.max(Number.isFinite(number) ? number : least, least), most);
}

// How many tokens are kept, the bytes of one, and of all in all sentences. Sizes are L, G, D, the
// length, the window (0: none) and B; an item is one number, in bytes.
export function bytesOf([layers, heads, width, length, window, batch], item) {
  const kept = window ? Math.min(length, window) : length;
  const token = 2 * layers * heads * width * item;
  return { kept, token, total: token * kept * batch };
}

// Bytes in GiB: two decimals, or two digits where that would leave nothing.
function inGib(bytes) {
  const gib = bytes / 2 ** 30;
  return gib >= 0.01 ? show(gib, 2) : String(Number(gib.toPrecision(2)));
}

export default {
  render({ model, el }) {
    const root = stageOf(model, el);
    const { models, start, room, items } = model.get("data");
    const own = "your own sizes";
    const inputs = {};
    const sizes = ["layers", "heads", "width", "length", "window", "batch"];
    const size = between(0, 1e8);
    const address = addressed(model, root, { ...Object.fromEntries(sizes.map((key) => [key, size])), item: whole(items.length) });
    const field = (key, name, most, least = 1) => {
      const input = h("input", { type: "number", min: least, max: most, step: 1, inputmode: "numeric", class: "hw-cache-memory-input", input: () => change() });
      inputs[key] = { input, least, most };
      return labelled(name, input);
    };
    const modelSelect = select([...models.map(({ name }) => name), own], start, (i) => {
      if (i < models.length) fill(i);
      change();
    });
    const itemSelect = select(items.map((bytes) => `${bytes} (${8 * bytes} bits)`), 0, () => change());
    const sum = h("p", { class: "hw-vector" });
    const terms = ["bytes a token", "bytes in all", "as GiB", "such batches in 16 GiB"].map((term) =>
      term.replace("16 GiB", `${room / 2 ** 30} GiB`),
    );
    const reading = terms.map((term) => h("dd", { "data-reading": term }));
    const bar = h("div", { class: "hw-meter" });
    const sentence = h("p", { class: "hw-sentence hw-cache-memory-sentence" });

    root.replaceChildren(
      h("div", { class: "hw-controls hw-wide" }, labelled("Model", modelSelect)),
      h(
        "div",
        { class: "hw-controls hw-cache-memory" },
        field("layers", "Layers L", 1000),
        field("heads", "Key/value heads G", 1000),
        field("width", "Head width D", 10000),
        field("length", "Length, tokens", 100000000),
        field("window", "Window (0: none)", 100000000, 0),
        field("batch", "Sentences B", 100000),
        labelled("Bytes a number", itemSelect),
      ),
      sum,
      h("div", { class: "hw-meter-track", "aria-hidden": "true" }, bar),
      sentence,
      h("dl", { class: "hw-readings hw-cache-memory-readings" }, ...terms.flatMap((term, i) => [h("dt", {}, term), reading[i]])),
    );
    const say = voice(root);
    inputs.batch.input.value = 1;
    fill(start);
    const { item: given = 0, ...others } = address.given;
    itemSelect.value = given;
    for (const [key, value] of Object.entries(others)) inputs[key].input.value = value;
    draw();

    function fill(i) {
      for (const key of ["layers", "heads", "width", "length", "window"]) inputs[key].input.value = models[i][key];
    }

    function change() {
      draw();
      say(sentence.textContent);
      const now = sizes.map((key) => [key, Number(inputs[key].input.value)]);
      address.keep({ ...Object.fromEntries(now), item: itemSelect.value });
    }

    function draw() {
      const [L, G, D, N, W, B] = sizes.map((key) => {
        const { input, least, most } = inputs[key];
        return wholeNumber(input.value, least, most);
      });
      const item = items[itemSelect.value];
      const same = models.findIndex(
        (one) => one.layers === L && one.heads === G && one.width === D && one.window === W,
      );
      // Sizes that two models share leave the choice as it is.
      const chosen = models[modelSelect.value];
      const fits = chosen && chosen.layers === L && chosen.heads === G && chosen.width === D && chosen.window === W;
      if (!fits) modelSelect.value = same < 0 ? models.length : same;
      const { kept, token, total } = bytesOf([L, G, D, N, W, B], item);
      const commas = (n) => n.toLocaleString("en-US");
      const spelled = inGib(total);
      sum.textContent = `2 · B ${commas(B)} · L ${commas(L)} · G ${commas(G)} · D ${commas(D)} · ${commas(kept)} tokens · ${item} bytes`;
      [commas(token), commas(total), spelled, commas(Math.floor(room / total))].forEach((text, i) => (reading[i].textContent = text));
      const share = total / room;
      bar.style.width = `${Math.min(100, 100 * share)}%`;
      sentence.textContent = `${spelled} GiB: ${show(100 * share, share < 0.01 ? 3 : 1)} % of ${room / 2 ** 30} GiB.`;
    }
  },
};
