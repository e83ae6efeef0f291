// Python that shows a case again, for each backend: a few lines to copy into a bug report.

function reproductions(one, detail) {
  const which = element("div");
  const show = (_, title) => {
    const index = Math.max(0, data.backends.findIndex((backend) => backend.title === title));
    which.replaceChildren(...reproduction(one, detail, index));
  };
  const worst = data.backends.findIndex((_, index) => verdictOf(index, one).kind === "wrong");
  const first = data.backends[Math.max(0, worst)].title;
  show("", first);
  return [choice("Backend", "reproduction", data.backends.map(({ title }) => title), first, show), which];
}

function reproduction(one, detail, index) {
  const text = program(one, detail, index);
  const status = element("span", { role: "status" });
  const copy = element("button", {
    type: "button", class: "copy", onclick: async () => { status.textContent = (await copied(text)) ? "Copied" : "Select the lines and copy them"; },
  }, "Copy");
  return [element("p", {}, copy, " ", status), block("Reproduction", text)];
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page from disk may not be let; then the older way is tried.
    const area = element("textarea", { class: "unseen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

function program(one, detail, index) {
  const backend = data.backends[index];
  const way = data.reproductions[backend.label] ?? data.reproductions[""];
  const moved = data.results[index].more[one]?.presented?.initializers ?? [];
  const lines = [
    `# ${caseId(one)} on ${backend.title}: ${verdictOf(index, one).name}`,
    said("said", index, one) && `# ${said("said", index, one)}`,
    ...way.imports, "",
    ...modelLines(detail),
    "tensors = [",
    ...detail.inputs.map(tensorLine),
    "]",
    ...(moved.length ? movedLines(moved) : []),
    ...way.run.map((line) => line
      .replaceAll("{name}", data.cases.name[one]).replaceAll("{backend}", backend.label)),
    ...(detail.outputs ?? []).map((tensor) => `# expected ${tensor[0]}: ${tensorType(tensor)} ${tensorText(tensor).replace(/\s+/g, " ").slice(0, 300)}`),
  ];
  return `${lines.filter((line) => line !== "" || way).join("\n")}\n`;
}

function modelLines(detail) {
  const files = Object.entries(detail.files ?? {}).map(([name, hex]) =>
    `pathlib.Path(${JSON.stringify(name)}).write_bytes(bytes.fromhex("${hex}"))`);
  if (detail.bytes) {
    return [
      `model = onnx.ModelProto.FromString(base64.b64decode("${detail.bytes}"))`,
      ...files,
      ...(files.length ? ['onnx.load_external_data_for_model(model, ".")'] : []),
    ];
  }
  return ['model = onnx.parser.parse_model("""', modelText(detail), '""")'];
}

function tensorLine([name, type, shape, hex]) {
  return `    onnx.TensorProto(name=${JSON.stringify(name)}, data_type=${type}, dims=[${shape.join(", ")}], raw_data=bytes.fromhex("${hex}")),`;
}

// The backend could not be fed these, and had them as initializers.
function movedLines(names) {
  return [
    `constant = ${JSON.stringify(names)}`,
    "model.graph.initializer.extend(t for t in tensors if t.name in constant)",
    "inputs = [i for i in model.graph.input if i.name not in constant]",
    "del model.graph.input[:]",
    "model.graph.input.extend(inputs)",
    "tensors = [t for t in tensors if t.name not in constant]",
  ];
}
