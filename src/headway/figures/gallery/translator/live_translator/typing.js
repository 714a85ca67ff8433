// A line of words with completion, a combobox as ARIA describes it: the list offers what may follow,
// the arrows choose from it, Enter and Tab take the word, Escape closes the list.
import { h } from "../../../core/shared.js";

// The word of a text in which the caret stands, where it lies, and the word before it.
export function wordAt(text, caret) {
  const from = text.slice(0, caret).search(/\S*$/);
  const to = caret + text.slice(caret).search(/\s|$/);
  return { from, to, word: text.slice(from, to), before: text.slice(0, from).trim().split(/\s+/).at(-1) };
}

// Words that begin as the word at the caret does: first those that the training sentences have
// after the word before it, then all others. followers: { word: [words] }, "" for the beginning.
export function completions(text, caret, words, followers) {
  const { word, before } = wordAt(text, caret);
  const begins = (other) => other.toLowerCase().startsWith(word.toLowerCase()) && other !== word;
  const first = (followers[before] ?? []).filter(begins);
  const others = word ? words.filter((other) => begins(other) && !first.includes(other)) : [];
  return [...first, ...others];
}

// onWords(text) is called at each change, onUse() when the field is entered; `name` is its id.
// `offer` takes { words, followers } once they are known.
export function wordField(value, onWords, onUse) {
  const name = `hw-live-translator-${Math.random().toString(36).slice(2)}`;
  let known = { words: [], followers: {} };
  let [options, at] = [[], -1];
  const input = h("input", {
    ...{ type: "text", role: "combobox", id: name, value, autocomplete: "off", spellcheck: "false" },
    ...{ autocapitalize: "off", "aria-autocomplete": "list", "aria-expanded": "false" },
    "aria-controls": `${name}-list`,
    input: changed,
    click: show,
    keydown,
    focus: onUse,
    blur: close,
  });
  const list = h("ul", { id: `${name}-list`, role: "listbox", class: "hw-live-translator-list", "aria-label": "Words" });
  list.hidden = true;

  function changed() {
    show();
    onWords(input.value);
  }

  // A word that is whole needs no list over what is below; the arrow down still opens it.
  function show() {
    const { word } = wordAt(input.value, input.selectionStart);
    if (known.words.includes(word)) return close();
    open();
  }

  function open() {
    options = completions(input.value, input.selectionStart, known.words, known.followers).slice(0, 8);
    at = -1;
    draw();
  }

  function close() {
    options = [];
    draw();
  }

  function draw() {
    const pressed = (word) => (event) => {
      event.preventDefault(); // the focus stays in the line
      take(word);
    };
    list.replaceChildren(
      ...options.map((word, i) =>
        h("li", { role: "option", id: `${name}-${i}`, "aria-selected": String(i === at), mousedown: pressed(word) }, word),
      ),
    );
    list.hidden = !options.length;
    input.setAttribute("aria-expanded", String(options.length > 0));
    if (at < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `${name}-${at}`);
  }

  function take(word) {
    const { from, to } = wordAt(input.value, input.selectionStart);
    const rest = input.value.slice(to).trimStart();
    input.value = `${input.value.slice(0, from)}${word} ${rest}`;
    input.selectionStart = input.selectionEnd = from + word.length + 1;
    changed();
  }

  function keydown(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      if (!options.length) return open();
      at = (at + step + options.length) % options.length;
      draw();
    } else if (["Enter", "Tab"].includes(event.key) && at >= 0) {
      event.preventDefault();
      take(options[at]);
    } else if (event.key === "Escape") close();
  }

  return {
    name,
    node: h("div", { class: "hw-live-translator-field" }, h("label", { for: name }, "Your own English sentence"), h("div", { class: "hw-live-translator-line" }, input, list)),
    offer(words) {
      known = words;
      if (document.activeElement === input) show();
    },
    write(text) {
      input.value = text;
      close();
    },
  };
}
