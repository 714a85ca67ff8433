// Tells require.js where widgets lie, and gives ipywidgets the one call of MathJax 2 it makes.
(function () {
  const here = new URL(".", document.currentScript.src).href;
  requirejs.config({ baseUrl: here + "npm/", paths: { anywidget: here + "anywidget" } });
  addEventListener("load", () => {
    if (!window.MathJax || MathJax.Hub) return;
    MathJax.Hub = {
      Queue(call) {
        const element = Array.isArray(call) && call[2];
        if (element && MathJax.typesetPromise) MathJax.typesetPromise([element]);
      },
      Config() {},
      Register: {},
    };
  });
})();
