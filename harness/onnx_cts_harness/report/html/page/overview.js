// The overview: every backend, by verdict and by operator version.

function overview() {
  const versions = data.versions.map((_, version) => numbersOfVersion(version));
  return [
    heading(1, "ONNX conformance"),
    paragraph(`The suite has ${plural(data.suite.cases, "case")}; its hash begins with `,
      code(data.suite.hash.slice(0, 8)), "."),
    reservations(),
    heading(2, "Verdicts"),
    verdictTable(),
    levels(),
    data.operators.map((operator) => operatorTable(operator, versions)),
    legend(),
  ];
}

function numbersOfVersion(version) {
  return everyCase().filter((one) => data.cases.version[one] === version);
}

function reservations() {
  const lines = data.backends.flatMap(({ title, lacks }) => lacks.map((lack) => `${title}: ${lack}.`));
  return lines.map((line) =>
    element("p", { class: "lack" }, element("strong", {}, "Incomplete: "), line));
}

function verdictTable() {
  const every = data.backends.map((_, backend) => countsOf(backend, everyCase()));
  const names = [...data.verdicts, NOT_RUN].filter(({ name }) => every.some((counts) => counts.names[name]));
  const rows = data.backends.map((backend, index) => row(
    [backend.title, environment(backend)],
    ...names.map(({ name }) => number(every[index].names[name], address("cases", "", { backend: backend.title, verdict: name }))),
    number(every[index].total)));
  return wide("Verdicts of each backend",
    table("How many cases have which verdict", ["Backend", ...names.map((name) => numberHead(verdictMark(name))), numberHead("cases")], rows));
}

function levels() {
  if (!data.levels.length) return "";
  const rows = data.levels.map(({ name, says, of }) => row([name, element("p", { class: "sentence" }, says)],
    ...data.backends.map(({ title }) => {
      const standing = of[title];
      if (!standing) return element("td", {}, "not known");
      const [head, ...rest] = standing.said.split(": ");
      return element("td", {}, element("span", { class: `verdict ${standing.reached ? "right" : "refused"}` },
        element("span", { "aria-hidden": "true" }, standing.reached ? "✓ " : "– "), head), element("small", {}, rest.join(": ")));
    })));
  return [heading(2, "Levels"), wide("Levels of conformance", table("Which levels each backend reaches",
    ["Level", ...data.backends.map(({ title }) => title)], rows))];
}

function environment({ environment: where, chosen }) {
  return [element("small", {}, `Python ${where.python} on ${where.platform}, ${where.machine}`),
    chosen && element("small", {}, `Run on a part of the suite: ${chosen}`)];
}

function operatorTable(operator, versions) {
  const some = data.versions.flatMap((version, index) => (qualified(version) === operator ? [index] : []));
  const rows = data.backends.map((backend, index) => row(backend.title,
    ...some.map((version) => {
      const counts = countsOf(index, versions[version]);
      const { wrong, refused, right, none } = counts.kinds;
      return element("td", {}, link(
        address("matrix", operator, { backend: backend.title }),
        bar(counts),
        element("span", { class: "share", "aria-hidden": "true" }, `${percent(right, counts.total)} right`),
        element("span", { class: wrong ? "share wrong" : "share", "aria-hidden": "true" },
          none === counts.total ? "not run" : wrong ? `✗ ${wrong} wrong` : refused ? `– ${refused} refused` : "nothing wrong"),
        unseen(`${operator} ${data.versions[version].version}: ${countsText(counts)}`)));
    })));
  return element("section", {},
    heading(2, operator),
    wide(`${operator} by version`, table(`Share of each operator version's cases; each opens the matrix of types`,
      ["Backend", ...some.map((version) =>
        [`${data.versions[version].version}`, element("small", {}, plural(versions[version].length, "case"))])], rows)));
}

function percent(part, whole) {
  if (!whole) return "0 %";
  // Neither all nor nothing is said where it is nearly so.
  const share = (100 * part) / whole;
  return `${part === whole ? 100 : Math.min(99, Math.max(part ? 1 : 0, Math.round(share)))} %`;
}

function legend() {
  const meanings = {
    exact: "the expected value, bit for bit, and signed zero with it",
    permitted: "another value that the standard's text admits",
    rejected: "an invalid model that was refused",
    open: "the text does not decide; the reading taken is recorded",
    refused: "a valid model that the backend does not support: neither passed nor failed",
    wrong: "a wrong value, type or shape, an invalid model accepted, a crash or no answer in time",
  };
  return element("section", {}, heading(2, "What the words mean"), element("dl", { class: "legend" },
    Object.entries(meanings).map(([word, meaning]) => [
      element("dt", {}, element("span", { class: `swatch ${word}`, "aria-hidden": "true" }), word),
      element("dd", {}, meaning)])));
}
