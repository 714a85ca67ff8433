// Tells require.js where widgets lie.
(function () {
  const here = new URL(".", document.currentScript.src).href;
  requirejs.config({ baseUrl: here + "npm/", paths: { anywidget: here + "anywidget" } });
})();
