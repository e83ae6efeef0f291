// Verdicts as people see them: a sign and a word, never a colour alone.

const SIGNS = {
  exact: "✓", permitted: "≈", rejected: "✓", open: "?", refused: "–", "not runnable": "–",
  "harness error": "!", "not run": "·",
};
const KINDS = ["right", "open", "refused", "wrong", "error", "none"];
const KIND_NAMES = {
  right: "right", open: "open", refused: "refused", wrong: "wrong", error: "not judged", none: "not run",
};

function verdictMark(verdict) {
  const sign = SIGNS[verdict.name] ?? "✗";
  return element("span", { class: `verdict ${verdict.kind}` },
    element("span", { "aria-hidden": "true" }, sign), ` ${verdict.name}`);
}

// How many of some cases have which verdict, by name and by kind.
function countsOf(backend, numbers) {
  const counts = { total: numbers.length, names: {}, kinds: {} };
  for (const kind of KINDS) counts.kinds[kind] = 0;
  for (const number of numbers) {
    const { name, kind } = verdictOf(backend, number);
    counts.names[name] = (counts.names[name] ?? 0) + 1;
    counts.kinds[kind] += 1;
  }
  return counts;
}

function countsText(counts) {
  const order = [...data.verdicts, NOT_RUN].filter(({ name }) => counts.names[name]);
  return order.map(({ name }) => `${counts.names[name]} ${name}`).join(", ");
}

// A bar with a piece for each kind of verdict; what it shows is beside it in words.
function bar(counts) {
  const pieces = ["exact", "permitted", "rejected"].map((name) => [name, counts.names[name] ?? 0]);
  for (const kind of KINDS.slice(1)) pieces.push([kind, counts.kinds[kind]]);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({
    class: "bar", viewBox: `0 0 ${counts.total || 1} 1`, preserveAspectRatio: "none", "aria-hidden": "true",
  })) svg.setAttribute(name, value);
  let x = 0;
  for (const [name, count] of pieces.filter(([, count]) => count)) {
    const piece = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const [key, value] of Object.entries({ class: name, x, y: 0, width: count, height: 1 })) {
      piece.setAttribute(key, value);
    }
    svg.append(piece);
    x += count;
  }
  return svg;
}
