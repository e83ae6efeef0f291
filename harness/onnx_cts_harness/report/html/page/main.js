// What is shown follows the address.

const PARTS = { overview: "Overview", matrix: "Matrix", cases: "Cases", rules: "Rules", questions: "Open questions" };
const THEMES = ["system", "light", "dark"];

function missing(what) {
  return [heading(1, "Not here"), paragraph(`This report has no ${what}.`), paragraph(link(address("overview"), "Overview"))];
}

function made({ part, argument, filters }) {
  switch (part) {
    case "overview": return overview();
    case "matrix": return matrix(argument || data.operators[0], filters);
    case "cases": return caseList(filters);
    case "case": return casePage(argument);
    case "rules": return rules(filters);
    case "questions": return questions();
    default: return missing(`part ${part}`);
  }
}

let turn = 0;
async function show() {
  const mine = ++turn;
  const where = readAddress();
  const parts = await made(where);
  if (mine !== turn) return;
  const main = document.getElementById("main");
  const field = main.contains(document.activeElement) && document.activeElement.name;
  const at = field && document.activeElement.selectionStart;
  main.replaceChildren(...parts.flat(Infinity).filter((one) => one !== "" && one != null));
  const title = main.querySelector("h1").textContent;
  document.title = `${title} – ONNX conformance`;
  navigation(where.part);
  const again = field && main.querySelector(`[name="${CSS.escape(field)}"]`);
  if (again) {
    again.focus();
    if (again.type === "search") again.setSelectionRange(at, at);
  } else if (turn > 1) {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }
}

// A choice takes the place of the one before in the history: going back leaves the part at once.
function go(to) {
  history.replaceState(null, "", to);
  show();
}

function navigation(part) {
  const current = part === "case" ? "cases" : part;
  document.getElementById("nav").replaceChildren(...Object.entries(PARTS).map(([name, text]) =>
    element("a", { href: address(name), "aria-current": name === current ? "page" : undefined }, text)));
}

function theme() {
  const button = document.getElementById("theme");
  const kept = () => { try { return localStorage.getItem("onnx-cts-theme"); } catch { return null; } };
  const set = (name) => {
    if (name === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    button.textContent = `Colours: ${name}`;
    try { localStorage.setItem("onnx-cts-theme", name); } catch { /* a page from disk may not be let */ }
  };
  let current = THEMES.includes(kept()) ? kept() : "system";
  set(current);
  button.addEventListener("click", () => {
    current = THEMES[(THEMES.indexOf(current) + 1) % THEMES.length];
    set(current);
  });
}

async function start() {
  theme();
  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  });
  document.addEventListener("keydown", (event) => {
    const field = document.querySelector('[name="q"]');
    if (event.key === "/" && field && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      field.focus();
    }
  });
  addEventListener("hashchange", () => show());
  await readIndex();
  await show();
}

start().catch((error) => {
  document.getElementById("main").replaceChildren(
    paragraph(`This page needs a browser of 2023 or later: ${error.message}`));
});
