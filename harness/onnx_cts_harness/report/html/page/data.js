// The data of the page: unpacked once, an operator version's cases when one of them is opened.

const data = {};
const opened = new Map();

async function unpacked(id) {
  const letters = atob(document.getElementById(id).textContent);
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

async function readIndex() {
  Object.assign(data, await unpacked("index"));
  data.count = data.cases.name.length;
  data.byLetter = new Map(data.verdicts.map((verdict) => [verdict.letter, verdict]));
  data.byId = new Map();
  for (let number = 0; number < data.count; number++) data.byId.set(caseId(number), number);
  data.operators = [...new Set(data.versions.map((version) => qualified(version)))];
  data.first = new Map();
  data.cases.version.forEach((version, number) => {
    if (!data.first.has(version)) data.first.set(version, number);
  });
}

// What the suite has of a case, beside what it is filtered by.
async function detailOf(number) {
  const version = data.cases.version[number];
  if (!opened.has(version)) opened.set(version, unpacked(`version-${version}`));
  const { cases, texts } = await opened.get(version);
  return { ...cases[number - data.first.get(version)], text: (index) => texts[index] };
}

const qualified = ({ domain, operator }) => (domain ? `${domain}.${operator}` : operator);
const versionOf = (number) => data.versions[data.cases.version[number]];
const caseId = (number) => `${versionOf(number).folder}/${data.cases.name[number]}`;
const column = (name, number) => data.texts[data.cases[name][number]];
const words = (name, number) => column(name, number).split(" ").filter(Boolean);
const verdictOf = (backend, number) =>
  data.byLetter.get(data.results[backend].verdicts[number]) ?? NOT_RUN;
const said = (name, backend, number) => data.texts[data.results[backend][name][number] ?? 0];
const diagnosisOf = (backend, number) => said("diagnosis", backend, number).split(" ").filter(Boolean);
const everyCase = () => Array.from({ length: data.count }, (_, number) => number);

const NOT_RUN = { letter: ".", name: "not run", kind: "none" };
