// A formula that is wider than the page can be scrolled from the keyboard.
(function () {
  function update() {
    for (const formula of document.querySelectorAll("div.math")) {
      if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
      else formula.removeAttribute("tabindex");
    }
  }
  addEventListener("load", update);
  addEventListener("resize", update);
  addEventListener("toggle", update, true); // a fold that opens
})();

// What the search quotes from a page says a formula once, and not as the eye and TeX have it, too.
addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  const toText = Search.htmlToText;
  Search.htmlToText = (html, anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    page.querySelectorAll(".katex-html, annotation").forEach((copy) => copy.remove());
    return toText(page.documentElement.outerHTML, anchor);
  };
});

// Paper is light, and shows every answer.
(function () {
  const root = document.documentElement;
  const paper = matchMedia("print");
  let before;
  function enter() {
    if (before) return;
    const folds = "details:is(.hw-predict, .hw-side-road):not([open])";
    const closed = [...document.querySelectorAll(folds)];
    before = { theme: root.dataset.theme, closed };
    closed.forEach((fold) => (fold.open = true));
    root.dataset.theme = "light";
  }
  function leave() {
    if (!before) return;
    before.closed.forEach((fold) => (fold.open = false));
    root.dataset.theme = before.theme;
    before = undefined;
  }
  paper.addEventListener("change", (event) => (event.matches ? enter() : leave()));
  addEventListener("beforeprint", enter);
  addEventListener("afterprint", leave);
})();

// One switch for the page shows or hides all code that is folded, and is remembered.
(function () {
  const root = document.documentElement;
  const KEY = "headway-code";
  let shown = root.classList.contains("hw-code-shown"); // as the head of the page has remembered

  addEventListener("DOMContentLoaded", () => {
    const folds = [...document.querySelectorAll(".cell details.hide")];
    const button = document.querySelector(".hw-code-switch");
    if (!folds.length || !button) return;
    function apply() {
      folds.forEach((fold) => (fold.open = shown));
      root.classList.toggle("hw-code-shown", shown);
      button.querySelector("span").textContent = shown ? "Hide code" : "Show code";
      button.setAttribute("aria-pressed", shown);
    }
    // What the reader looks at stays where it is, however much code comes or goes above it.
    function held(change) {
      const blocks = document.querySelectorAll(".bd-article section > *");
      const inView = [...blocks].find((block) => block.getBoundingClientRect().top > 60);
      const before = inView?.getBoundingClientRect().top;
      root.style.overflowAnchor = "none"; // or the browser moves the page, too
      change();
      if (inView) scrollBy({ top: inView.getBoundingClientRect().top - before, behavior: "instant" });
      requestAnimationFrame(() => (root.style.overflowAnchor = ""));
    }
    button.addEventListener("click", () => {
      shown = !shown;
      held(apply);
      try {
        localStorage.setItem(KEY, shown ? "shown" : "hidden");
      } catch {
        // It holds for this page.
      }
    });
    apply();
  });
})();
