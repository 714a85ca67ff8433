// A formula that is wider than the page can be scrolled from the keyboard.
(function () {
  function update() {
    for (const formula of document.querySelectorAll("div.math")) {
      if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
      else formula.removeAttribute("tabindex");
    }
  }
  addEventListener("load", async () => {
    if (!window.MathJax || !MathJax.startup) return;
    await MathJax.startup.promise;
    update();
    addEventListener("resize", update);
  });
})();

// Paper is light, and shows every answer.
(function () {
  const root = document.documentElement;
  const paper = matchMedia("print");
  let before;
  function enter() {
    if (before) return;
    const folds = "details:is(.hw-predict, .hw-output):not([open])";
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
