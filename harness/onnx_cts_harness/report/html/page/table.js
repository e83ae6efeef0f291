// Tables with a head, and lists that grow while they are read.

const STEP = 200;

function table(caption, heads, rows) {
  return element("table", {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, heads.map((head) =>
      (head instanceof HTMLTableCellElement ? head : element("th", { scope: "col" }, head))))),
    element("tbody", {}, rows));
}

function row(head, ...cells) {
  return element("tr", {}, element("th", { scope: "row" }, head),
    cells.map((cell) => (cell instanceof HTMLTableCellElement ? cell : element("td", {}, cell))));
}

const numberHead = (...content) => element("th", { scope: "col", class: "number" }, content);
const number = (value, href) =>
  element("td", { class: "number" }, value ? (href ? link(href, value.toLocaleString("en")) : value.toLocaleString("en")) : "");

// Rows are made a few hundred at a time: when the end comes into view, or on the button.
function growing(body, items, made) {
  let shown = 0;
  const more = element("button", { type: "button", class: "more", onclick: () => grow(true) });
  const watcher = new IntersectionObserver((seen) => {
    if (seen.some((entry) => entry.isIntersecting)) grow(false);
  }, { rootMargin: "1500px" });
  function grow(focus) {
    const next = items.slice(shown, shown + STEP).map(made);
    body.append(...next);
    shown += next.length;
    if (focus) next[0]?.querySelector("a")?.focus();
    more.textContent = `Show ${Math.min(STEP, items.length - shown)} more of ${items.length - shown}`;
    more.hidden = shown >= items.length;
    if (more.hidden) watcher.disconnect();
    else { watcher.unobserve(more); watcher.observe(more); }
  }
  grow(false);
  return more;
}
