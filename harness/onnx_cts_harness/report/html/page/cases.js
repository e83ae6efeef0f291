// The list of cases, with its filters.

const MORE = ["from", "to", "granularity", "expectation", "rule", "feature", "diagnosis"];
const ANY = { value: "", text: "any" };
const FIELDS = [
  ["operator", "Operator", (one) => [qualified(versionOf(one))]],
  ["version", "Version", (one) => [String(versionOf(one).version)]],
  ["from", "Input type", (one) => [column("from", one)]],
  ["to", "Output type", (one) => [column("to", one)]],
  ["granularity", "Granularity", (one) => [column("granularity", one)]],
  ["expectation", "Expectation", (one) => [column("expectation", one)]],
  ["rule", "Rule or question", (one) => rulesAtStake(one)],
  ["feature", "Feature", (one) => words("features", one)],
];

// A value case keeps to many rules; what it is about are those that it breaks or leaves open.
function rulesAtStake(one) {
  return column("expectation", one) === "value" ? [] : words("rules", one);
}

function caseList(filters) {
  const changed = (name, value) => go(address("cases", "", { ...filters, [name]: value }));
  const numbers = filtered(filters);
  const fields = (from, to) => FIELDS.slice(from, to).map(([name, label, of]) =>
    choice(label, name, [ANY, ...valuesOf(name, of)], filters[name], changed));
  const body = element("tbody", { role: "rowgroup" });
  // The roles stand here since a table that is shown by other boxes than a table's would lose them.
  const head = (text) => element("th", { scope: "col", role: "columnheader" }, text);
  const shown = element("table", { class: "cases", role: "table" },
    element("caption", {}, "Cases, and the verdict of each backend"),
    element("thead", { role: "rowgroup" },
      element("tr", { role: "row" }, head("Case"), data.backends.map(({ title }) => head(title)))),
    body);
  shown.style.setProperty("--backends", data.backends.length);
  const more = growing(body, numbers, (one) => caseRow(one));
  return [
    heading(1, "Cases"),
    element("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() },
      searchField(filters, changed),
      fields(0, 2),
      choice("Backend", "backend", [ANY, ...data.backends.map(({ title }) => title)], filters.backend, changed),
      choice("Verdict", "verdict", [ANY, ...verdictChoices()], filters.verdict, changed),
      element("details", { open: MORE.some((name) => filters[name]) },
        element("summary", {}, "More filters"),
        element("div", {}, fields(2), choice("Diagnosis", "diagnosis", [ANY, ...diagnoses()], filters.diagnosis, changed))),
      element("button", { type: "button", onclick: () => go(address("cases")) }, "Clear")),
    element("p", { role: "status" }, `${plural(numbers.length, "case")} of ${data.count.toLocaleString("en")}`),
    numbers.length ? wide("Cases", shown) : paragraph("No case has all of this. Clear a filter to see more."),
    more,
  ];
}

// The page is made anew only once nobody is typing.
function searchField(filters, changed) {
  let waiting;
  return field("Search", "q", element("input", {
    type: "search", name: "q", id: "field-q", value: filters.q, placeholder: "words of an id or a finding",
    oninput: (event) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => changed("q", event.target.value), 150);
    },
  }));
}

const values = new Map();
function valuesOf(name, of) {
  if (!values.has(name)) {
    const found = new Set(everyCase().flatMap(of));
    found.delete("");
    values.set(name, [...found].sort(inOrder));
  }
  return values.get(name);
}

const inOrder = (a, b) => a.localeCompare(b, "en", { numeric: true });

const verdictChoices = () => [
  ...KINDS.filter((kind) => !["right", "open", "none"].includes(kind))
    .map((kind) => ({ value: `any ${kind}`, text: `any ${KIND_NAMES[kind]}` })),
  ...[...data.verdicts, NOT_RUN].map(({ name }) => name),
];

function diagnoses() {
  const named = new Set(data.results.flatMap(({ diagnosis }) =>
    [...new Set(Object.values(diagnosis))].flatMap((index) => data.texts[index].split(" "))));
  return [...named].sort();
}

function filtered(filters) {
  const fields = FIELDS.filter(([name]) => filters[name]);
  const some = data.backends.flatMap(({ title }, index) =>
    (!filters.backend || title === filters.backend ? [index] : []));
  const sought = (filters.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return everyCase().filter((one) =>
    fields.every(([name, , of]) => of(one).includes(filters[name]))
    && (!filters.verdict || some.some((index) => hasVerdict(verdictOf(index, one), filters.verdict)))
    && (!filters.diagnosis || some.some((index) => diagnosisOf(index, one).includes(filters.diagnosis)))
    && (!sought.length || sought.every((word) => searchText(one).includes(word))));
}

const hasVerdict = ({ name, kind }, wanted) => name === wanted || `any ${kind}` === wanted;

const searchTexts = [];
function searchText(one) {
  searchTexts[one] ??= [
    caseId(one), column("rules", one), column("types", one), column("granularity", one),
    ...data.results.flatMap((_, index) => [said("said", index, one), said("diagnosis", index, one)]),
  ].join("\n").toLowerCase();
  return searchTexts[one];
}

function caseRow(one) {
  const { version } = versionOf(one);
  return element("tr", { role: "row" },
    element("th", { scope: "row", role: "rowheader" },
      element("small", {}, `${qualified(versionOf(one))} ${version}`, column("granularity", one) && ` · ${column("granularity", one)}`),
      link(address("case", caseId(one)), data.cases.name[one])),
    data.backends.map(({ title }, index) => element("td", { role: "cell", "data-backend": title },
      verdictMark(verdictOf(index, one)))));
}
