// Light or dark: as the system has it, until the button is pressed. Runs before the page is drawn.
(function () {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  try {
    chosen = localStorage.getItem("headway-theme");
  } catch {
    // Without a store, the choice is forgotten with the page.
  }

  function show() {
    root.dataset.theme = chosen ?? (system.matches ? "dark" : "light");
    const button = document.getElementById("theme");
    if (button) button.textContent = root.dataset.theme === "dark" ? "Light page" : "Dark page";
  }

  system.addEventListener("change", show);
  document.addEventListener("DOMContentLoaded", () => {
    show();
    document.getElementById("theme").addEventListener("click", () => {
      chosen = root.dataset.theme === "dark" ? "light" : "dark";
      try {
        localStorage.setItem("headway-theme", chosen);
      } catch {
        // As above.
      }
      show();
    });
  });
  show();
})();
