// Walking a grid of nodes with the keyboard: one of them is a stop of Tab, and the arrow keys, Home
// and End lead to the others. A row of words is a grid of one row, a list one of one column.

// Where a key leads from (row, column) among rows × columns, not over an edge; null if nowhere.
export function moved(event, [row, column], [rows, columns]) {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const far = (sign) => (columns === 1 ? [sign * rows, 0] : [0, sign * columns]);
  const moves = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    Home: far(-1),
    End: far(1),
  };
  const [down, right] = moves[event.key] ?? [0, 0];
  if ((!down || rows === 1) && (!right || columns === 1)) return null;
  event.preventDefault();
  const within = (place, size) => Math.min(Math.max(place, 0), size - 1);
  return [within(row + down, rows), within(column + right, columns)];
}

// Lets the keyboard walk the nodes in `box`. nodes() gives them as they are now, [R][C];
// go(row, column) is called with where a key leads, before that node gets the focus.
// → a function that puts the cursor on a place, which has to be called whenever nodes are new
export function walk(box, nodes, go) {
  let cursor = [0, 0];
  box.addEventListener("keydown", (event) => {
    const now = nodes();
    if (!now.flat().includes(event.target)) return;
    const next = moved(event, cursor, [now.length, now[0].length]);
    if (!next) return;
    go(...next);
    nodes()[next[0]][next[1]].focus();
  });
  return (row, column) => {
    cursor = [row, column];
    nodes().forEach((line, r) =>
      line.forEach((node, c) => (node.tabIndex = r === row && c === column ? 0 : -1)),
    );
  };
}
