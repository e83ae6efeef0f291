// Elements of the page. Text is always set as text, so that nothing in it is taken for markup.

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== "") made.setAttribute(name, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== "" && child != null && child !== false));
  return made;
}

const link = (href, ...children) => element("a", { href }, ...children);
const code = (...children) => element("code", {}, ...children);
const heading = (level, ...children) => element(`h${level}`, {}, ...children);
const paragraph = (...children) => element("p", {}, ...children);
const unseen = (text) => element("span", { class: "unseen" }, text);
const plural = (count, one) => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;

// A table that scrolls sideways by itself, also by keyboard.
function wide(label, table) {
  return element("div", { class: "wide", role: "region", "aria-label": label, tabindex: "0" }, table);
}

function block(label, text) {
  return element("pre", { tabindex: "0", role: "region", "aria-label": label }, text);
}

function field(label, name, control) {
  return element("div", { class: `field ${name}` }, element("label", { for: `field-${name}` }, label), control);
}

function choice(label, name, options, value, changed) {
  const known = options.some((option) => (option.value ?? option) === value);
  const all = known || !value ? options : [...options, value];
  return field(label, name,
    element("select", { name, id: `field-${name}`, onchange: (event) => changed(name, event.target.value) },
      all.map((option) => {
        const made = element("option", {}, option.text ?? option);
        made.value = option.value ?? option;
        made.selected = made.value === (value ?? "");
        return made;
      })));
}
