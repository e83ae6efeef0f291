// What the standard leaves open, and the reading that each backend takes.

function questions() {
  const asked = data.operators.map((operator) => [operator, questionsOf(operator)]);
  return [
    heading(1, "Open questions"),
    paragraph("Where the text does not decide, no answer is wrong; each defensible one is named, and the suite records which a backend takes."),
    asked.map(([operator, found]) => element("section", {}, heading(2, operator),
      [...found].map(([id, question]) => questionPart(operator, id, question)))),
  ];
}

function questionsOf(operator) {
  const found = new Map();
  for (const version of data.versions) {
    if (qualified(version) !== operator) continue;
    for (const [id, question] of Object.entries(version.standard.questions)) {
      found.set(id, { ...question, versions: [...(found.get(id)?.versions ?? []), version.version], cases: [] });
    }
  }
  for (const one of everyCase()) {
    if (qualified(versionOf(one)) !== operator || column("expectation", one) !== "open") continue;
    for (const id of words("rules", one)) found.get(id)?.cases.push(one);
  }
  return found;
}

function questionPart(operator, id, { says, why, readings, versions, cases }) {
  const taken = data.backends.map((_, index) => {
    const counts = new Map();
    for (const one of cases) {
      const reading = said("reading", index, one) || verdictOf(index, one).name;
      counts.set(reading, (counts.get(reading) ?? 0) + 1);
    }
    return counts;
  });
  const names = [...new Set([...Object.keys(readings), ...taken.flatMap((counts) => [...counts.keys()])])];
  return element("section", {},
    heading(3, code(id), element("small", {}, ` versions ${versions.join(", ")}, `,
      link(address("cases", "", { operator, rule: id }), plural(cases.length, "case")))),
    quoted("", data.texts[says]),
    paragraph(data.texts[why]),
    wide(`Readings of ${operator} ${id}`, table(`How many cases each backend answers by which reading`,
      ["Reading", ...data.backends.map(({ title }) => numberHead(title))],
      names.map((name) => row([code(name), readings[name] ? element("p", { class: "sentence" }, data.texts[readings[name]]) : ""],
        ...taken.map((counts) => number(counts.get(name))))))));
}
