// Light or dark, as the reader's system has it until the reader chooses.
(function () {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const MODES = ["auto", "light", "dark"];
  function show() {
    const mode = root.dataset.mode;
    root.dataset.theme = mode === "auto" ? (dark.matches ? "dark" : "light") : mode;
  }
  dark.addEventListener("change", show);
  for (const button of document.querySelectorAll(".hw-color-mode")) {
    const name = () => (button.title = `Color mode: ${root.dataset.mode}`);
    button.addEventListener("click", () => {
      root.dataset.mode = MODES[(MODES.indexOf(root.dataset.mode) + 1) % MODES.length];
      show();
      name();
      try {
        localStorage.setItem("mode", root.dataset.mode);
      } catch {
        // It holds for this page.
      }
    });
    name();
  }
})();

// A menu closes by Escape, by a click elsewhere, and when a link in it is followed.
(function () {
  const menu = document.querySelector("#hw-menu");
  menu?.addEventListener("click", (event) => {
    if (event.target.closest("a") && menu.matches(":popover-open")) menu.hidePopover();
  });
  for (const fold of document.querySelectorAll("details.hw-run")) {
    const links = [...fold.querySelectorAll("a")];
    addEventListener("click", (event) => {
      if (!fold.contains(event.target)) fold.open = false;
    });
    fold.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape" && fold.open) {
        fold.open = false;
        fold.querySelector("summary").focus();
      } else if (step && fold.open) {
        const at = links.indexOf(document.activeElement) + step;
        links[(at + links.length) % links.length].focus();
        event.preventDefault();
      }
    });
  }
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
    const field = document.querySelector(".hw-search input");
    if (menu && !menu.checkVisibility()) menu.showPopover();
    field.focus();
    event.preventDefault();
  });
})();

// The navigation marks the section that is being read, and begins where the page stands in it.
(function () {
  const menu = document.querySelector("#hw-menu");
  const open = menu?.querySelector("[aria-current='page']");
  if (!open) return;
  const place = open.getBoundingClientRect().top - menu.getBoundingClientRect().top;
  if (place > menu.clientHeight * 0.6) menu.scrollTop += place - menu.clientHeight / 4;
  const links = [...menu.querySelectorAll(".hw-nav-sections a")];
  const heads = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  function mark() {
    const passed = heads.filter((head) => head && head.getBoundingClientRect().top < 160);
    const now = links[heads.indexOf(passed.at(-1))];
    for (const link of links) {
      if (link === now) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
  }
  const seen = new IntersectionObserver(mark, { rootMargin: "-160px 0px -40% 0px" });
  heads.forEach((head) => head && seen.observe(head));
})();

// What is wider than its box can be scrolled from the keyboard.
(function () {
  const WIDE = ".pst-scrollable-table-container, .cell_output pre, .hw-scroll";
  function reach(box) {
    const wide = box.scrollWidth > box.clientWidth + 1 && !box.ariaHidden;
    if (wide) box.tabIndex = 0;
    else if (box.tabIndex === 0) box.removeAttribute("tabindex");
  }
  const each = (entries) => entries.forEach(({ target }) => reach(target));
  const sized = new ResizeObserver(each);
  const uncovered = new MutationObserver(each);
  for (const box of document.querySelectorAll(WIDE)) {
    sized.observe(box);
    uncovered.observe(box, { attributeFilter: ["aria-hidden"] });
  }
})();
