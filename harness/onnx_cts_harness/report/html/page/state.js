// The address keeps what is shown: #/<part>/<of what>?<filters>.

function readAddress() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [part, ...rest] = path.split("/");
  return {
    part: part || "overview",
    argument: rest.map(decoded).join("/"),
    filters: Object.fromEntries(new URLSearchParams(query)),
  };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function address(part, argument = "", filters = {}) {
  const set = Object.entries(filters).filter(([, value]) => value !== "" && value !== undefined);
  const path = argument.split("/").map(encodeURIComponent).join("/");
  const query = new URLSearchParams(set).toString();
  return `#/${part}${path ? `/${path}` : ""}${query ? `?${query}` : ""}`;
}
