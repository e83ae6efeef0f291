// An operator's matrix: types and granularity by version, for one backend.

const EXPECTATIONS = [
  { value: "value", text: "valid calls" }, { value: "reject", text: "invalid calls" },
  { value: "open", text: "open calls" }, { value: "any", text: "all" },
];

function matrix(operator, filters) {
  if (!data.operators.includes(operator)) return missing(`operator ${operator}`);
  const expectation = filters.expectation ?? "value";
  const backend = Math.max(0, data.backends.findIndex(({ title }) => title === filters.backend));
  const versions = data.versions.flatMap((one, index) => (qualified(one) === operator ? [index] : []));
  const cells = new Map();
  for (const one of everyCase()) {
    if (!versions.includes(data.cases.version[one])) continue;
    if (expectation !== "any" && column("expectation", one) !== expectation) continue;
    const key = JSON.stringify([column("from", one), column("to", one), column("granularity", one)]);
    if (!cells.has(key)) cells.set(key, new Map());
    const cell = cells.get(key);
    const version = data.cases.version[one];
    if (!cell.has(version)) cell.set(version, []);
    cell.get(version).push(one);
  }
  const title = data.backends[backend].title;
  const keys = [...cells.keys()].sort(byType);
  const changed = (name, value) =>
    go(address("matrix", name === "operator" ? value : operator, { backend: title, expectation, [name]: value, operator: "" }));
  return [
    heading(1, operator, " by type and granularity"),
    element("form", { class: "filters", onsubmit: (event) => event.preventDefault() },
      choice("Operator", "operator", data.operators, operator, changed),
      choice("Backend", "backend", data.backends.map((one) => one.title), title, changed),
      choice("Cases", "expectation", EXPECTATIONS, expectation, changed)),
    wide(`${operator} on ${title}`, table(
      `${operator} on ${title}. Each cell opens its cases: right of all, or what is wrong or refused`,
      ["Types", "Granularity", ...versions.map((version) => String(data.versions[version].version))],
      keys.map((key) => {
        const [from, to, granularity] = JSON.parse(key);
        const types = !to ? from : `${from} → ${to}`;
        return row(types || "no types", granularity || "–", ...versions.map((version) =>
          matrixCell(backend, cells.get(key).get(version), `${types} ${granularity}`, {
            operator, version: String(data.versions[version].version), from, to, granularity, backend: title,
            expectation: expectation === "any" ? "" : expectation,
          })));
      }))),
  ];
}

// In the order in which ONNX numbers the types, the usual ones first.
function byType(one, other) {
  const order = Object.values(data.formats).map(({ name }) => name);
  const [first, second] = [one, other].map((key) => JSON.parse(key));
  return order.indexOf(first[0]) - order.indexOf(second[0])
    || order.indexOf(first[1]) - order.indexOf(second[1]) || inOrder(first[2], second[2]);
}

function matrixCell(backend, numbers, name, filters) {
  if (!numbers) return element("td", { class: "cell" }, unseen("no case"));
  const counts = countsOf(backend, numbers);
  const { wrong, error, refused, right, open } = counts.kinds;
  const total = counts.total;
  const [kind, text] = wrong ? ["wrong", `✗ ${wrong}/${total}`]
    : error ? ["error", `! ${error}/${total}`]
    : counts.kinds.none === total ? ["none", `· ${total}`]
    : refused ? ["refused", `– ${refused}/${total}`]
    : open === total ? ["open", `? ${total}`]
    : ["right", `✓ ${right}/${total}`];
  return element("td", { class: `cell ${kind}` },
    link(address("cases", "", filters), element("span", { "aria-hidden": "true" }, text),
      unseen(`${name}, version ${filters.version}: ${countsText(counts)}`)));
}
