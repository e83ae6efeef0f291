// The rules of an operator: how the suite covers them, and how each backend keeps them.

function rules(filters) {
  const operator = data.operators.includes(filters.operator) ? filters.operator : data.operators[0];
  const found = new Map();
  data.versions.forEach((version) => {
    if (qualified(version) !== operator) return;
    for (const [id, { says, always }] of Object.entries(version.standard.rules)) {
      if (!found.has(id)) found.set(id, { versions: [], breaking: [], keeping: 0 });
      Object.assign(found.get(id), { says, always });
      found.get(id).versions.push(version.version);
    }
  });
  for (const one of everyCase()) {
    if (qualified(versionOf(one)) !== operator) continue;
    const expectation = column("expectation", one);
    for (const [id, rule] of found) {
      const named = words("rules", one).includes(id);
      if (expectation === "reject" && named) rule.breaking.push(one);
      if (expectation === "value" && (named || rule.always)) rule.keeping += 1;
    }
  }
  return [
    heading(1, "Rules of ", operator),
    element("form", { class: "filters", onsubmit: (event) => event.preventDefault() },
      choice("Operator", "operator", data.operators, operator, (_, value) => go(address("rules", "", { operator: value })))),
    wide(`Rules of ${operator}`, table("Each rule with its sentence, the cases that break it and those that keep to it, and how many of the first each backend rejects",
      ["Rule", "Versions", numberHead("Broken by"), numberHead("Kept by"), ...data.backends.map(({ title }) => title)],
      [...found].map(([id, rule]) => row([code(id), element("p", { class: "sentence" }, data.texts[rule.says])],
        rule.versions.join(", "),
        number(rule.breaking.length, address("cases", "", { operator, rule: id, expectation: "reject" })),
        number(rule.keeping),
        ...data.backends.map((_, index) => standing(index, operator, id, rule.breaking)))))),
  ];
}

function standing(index, operator, id, breaking) {
  if (!breaking.length) return element("td", {}, "–");
  const { names, kinds } = countsOf(index, breaking);
  const rejected = names.rejected ?? 0;
  return element("td", { class: kinds.wrong ? "wrong" : "" },
    link(address("cases", "", { operator, rule: id, expectation: "reject", backend: data.backends[index].title }),
      `${kinds.wrong ? "✗ " : ""}${rejected} of ${breaking.length} rejected`));
}
