// The page of one case: what is asked, what each backend did, and how to see it again.

async function casePage(id) {
  const one = data.byId.get(id);
  if (one === undefined) return missing(`case ${id}`);
  const detail = await detailOf(one);
  const version = versionOf(one);
  return [
    element("p", { class: "path" }, link(address("cases", "", { operator: qualified(version), version: String(version.version) }),
      `${qualified(version)} ${version.version}`)),
    element("h1", { class: "id" }, data.cases.name[one]),
    facts(one, detail),
    heading(2, "What the standard says"),
    sentences(one, detail),
    heading(2, "What the backends did"),
    answers(one),
    data.backends.map((_, index) => finding(one, index)),
    detail.unread ? paragraph(detail.unread) : [
      heading(2, "Model"),
      block("Model", modelText(detail)),
      heading(2, "Tensors"),
      tensors(detail),
      heading(2, "See it again"),
      reproductions(one, detail),
    ],
  ];
}

const modelText = (detail) => detail.model.map(detail.text).join("\n");

function facts(one, detail) {
  const lines = [
    ["Id", code(caseId(one))],
    ["Must", { value: "be computed", reject: "be refused", open: "be recorded: the text does not decide" }[column("expectation", one)]],
    ["Opset", detail.opset],
    ["Types", words("types", one).join(", ")],
    ["Granularity", column("granularity", one)],
    ["Features", words("features", one).join(", ")],
    ["Presents", detail.presents ? link(address("case", detail.text(detail.presents)), detail.text(detail.presents)) : ""],
  ];
  return element("dl", { class: "facts" }, lines.filter(([, value]) => value)
    .map(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

function sentences(one, detail) {
  const { standard } = versionOf(one);
  const expectation = column("expectation", one);
  const names = words("rules", one);
  if (expectation === "value") {
    const readings = (detail.unread ? "" : detail.text(detail.reading)).split(" ").filter(Boolean);
    return [
      standard.formula ? quoted("", data.texts[standard.formula]) : "",
      readings.length ? element("dl", { class: "facts" }, readings.map((name) => [
        element("dt", {}, name), element("dd", {}, data.texts[standard.readings[name] ?? 0])])) : "",
    ];
  }
  if (expectation === "reject") return names.map((name) => quoted(`Breaks ${name}`, data.texts[standard.rules[name]?.says ?? 0]));
  return names.map((name) => {
    const question = standard.questions[name];
    return question ? [quoted(`Open: ${name}`, data.texts[question.says]), paragraph(data.texts[question.why])] : paragraph(name);
  });
}

function quoted(name, sentence) {
  return element("figure", {}, name && element("figcaption", {}, name), element("blockquote", {}, sentence || "No spec has a sentence for it."));
}

function answers(one) {
  const same = new Map();
  data.backends.forEach(({ title }, index) => {
    const answer = said("answer", index, one);
    if (answer) same.set(answer, [...(same.get(answer) ?? []), title]);
  });
  return wide("Answers", table("Verdict and answer of each backend", ["Backend", "Verdict", "Reading", "Answer"],
    data.backends.map(({ title }, index) => {
      const answer = said("answer", index, one);
      const others = (same.get(answer) ?? []).filter((other) => other !== title);
      return row(title, verdictMark(verdictOf(index, one)), said("reading", index, one),
        answer ? [code(answer.replace(/:[^:]*$/, "")), others.length ? ` the same as ${others.join(", ")}` : ""] : "none");
    })));
}

function finding(one, index) {
  const more = data.results[index].more[one] ?? {};
  const sentence = said("said", index, one);
  const diagnosis = diagnosisOf(index, one);
  if (!sentence && !diagnosis.length && !more.presented) return "";
  const at = more.element?.length ? `[${more.element.join(",")}]` : "";
  const lines = [
    ["Element", more.element && `${more.output}${at}`],
    ["Expected", more.expected],
    ["Permitted", more.permitted && `${more.permitted[0]} to ${more.permitted[1]}${more.permitted.length > 2 ? " or NaN" : ""}`],
    ["Got", more.got],
    ["Distance", more.ulp !== undefined && `${more.ulp} ULP`],
    ["Wrong elements", more.wrong !== undefined && `${more.wrong} of ${more.elements}`],
    ["Given as initializers", more.presented?.initializers.join(", ")],
    ["Standard error", more.stderr?.join("\n")],
    ["Diagnosis", diagnosis.length > 0 && diagnosis.map((name) => [code(name), ` ${data.deviations[name] ?? ""} `])],
  ].filter(([, value]) => value !== undefined && value !== false);
  return element("section", { class: `finding ${verdictOf(index, one).kind}` },
    heading(3, data.backends[index].title, " ", verdictMark(verdictOf(index, one))),
    sentence && element("p", { class: "said" }, sentence),
    lines.length ? element("dl", { class: "facts" }, lines.map(([name, value]) =>
      [element("dt", {}, name), element("dd", {}, typeof value === "number" ? String(value) : value)])) : "");
}

function tensors(detail) {
  const groups = [
    ["input", detail.inputs], ["expected", detail.outputs], ["permitted from", detail.lower], ["permitted to", detail.upper],
    ...Object.entries(detail.readings ?? {}).map(([name, some]) => [`reading ${name}`, some]),
  ];
  return element("dl", { class: "tensors" }, groups.flatMap(([name, some]) => (some ?? []).map((tensor) => [
    element("dt", {}, `${tensor[0]} `, element("small", {}, `${name}, ${tensorType(tensor)}`)),
    element("dd", {}, block(`${tensor[0]}, ${name}`, tensorText(tensor)))])));
}
