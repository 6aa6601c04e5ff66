"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const findings = read("findings"), failures = read("failures");
  const at = (id) => document.getElementById(id);
  const make = (tag, name, text) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const count = (key) => {
    const counts = new Map();
    for (const finding of findings) counts.set(finding[key], (counts.get(finding[key]) || 0) + 1);
    return counts;
  };
  const levels = count("level");
  const order = ["error", "warning", "pedantic"].filter((level) => levels.has(level));
  const some = (n, word) => `${n} ${word}${n === 1 || word === "pedantic" ? "" : "s"}`;
  at("summary").textContent = findings.length === 0 ? "No findings." :
    order.map((level) => some(levels.get(level), level)).join(", ") + ` in ${some(count("path").size, "file")}`;
  for (const failure of failures) at("failed").append(make("li", "error", `cannot be checked: ${failure}`));
  for (const level of order) {
    const label = make("label", level), box = make("input");
    box.type = "checkbox";
    box.checked = true;
    box.value = level;
    label.append(box, make("span", "level", ` ${level} (${levels.get(level)})`));
    at("levels").append(label, " ");
  }
  for (const key of ["rule", "path"]) {
    const all = [...count(key)].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    for (const [name, n] of all) {
      const option = make("option", "", `${name} (${n})`);
      option.value = name;
      at(key).append(option);
    }
  }
  const excerpt = (lines) => {
    const pre = make("pre");
    for (const { line, parts } of lines) {
      pre.append(make("span", "number", String(line).padStart(6) + "  "), parts[0]);
      if (parts[1]) pre.append(make("mark", "", parts[1]));
      pre.append(parts[2], "\n");
    }
    return pre;
  };
  const item = (finding) => {
    const li = make("li", finding.level), title = make("div");
    const rule = make(finding.link ? "a" : "span", "", finding.rule);
    if (finding.link) rule.href = finding.link;
    title.append(make("span", "level", finding.level), " [", rule, "] ", finding.message);
    const kernel = finding.kernel ? ` in ${finding.kernel}` : "";
    li.append(title);
    if (finding.label) li.append(make("div", "label", finding.label));
    li.append(make("div", "place", `${finding.path}:${finding.line}:${finding.column}${kernel}`));
    if (finding.labels.length) {
      const steps = make(finding.is_trace ? "ol" : "ul", "steps");
      for (const { words, text } of finding.labels) {
        const step = make("li", "", words);
        step.append(excerpt([text]));
        steps.append(step);
      }
      li.append(steps);
    }
    li.append(excerpt(finding.text));
    if (finding.drawing) li.append(make("pre", "drawing", finding.drawing));
    const notes = make("ul", "notes");
    for (const note of finding.notes) notes.append(make("li", "", note));
    if (finding.help) notes.append(make("li", "", `help: ${finding.help}`));
    if (notes.childElementCount) li.append(notes);
    return li;
  };
  const STEP = 100;
  let chosen = [], shown = 0;
  const more = () => {
    const part = document.createDocumentFragment();
    for (const finding of chosen.slice(shown, shown + STEP)) part.append(item(finding));
    at("list").append(part);
    shown = Math.min(shown + STEP, chosen.length);
    at("more").hidden = shown === chosen.length;
    at("count").textContent = `${chosen.length} of ${findings.length} findings, ${shown} shown`;
  };
  const choose = () => {
    const wanted = new Set([...at("levels").querySelectorAll("input:checked")].map((box) => box.value));
    const rule = at("rule").value, path = at("path").value, words = at("words").value.toLowerCase();
    chosen = findings.filter((f) => wanted.has(f.level) && (!rule || f.rule === rule) && (!path || f.path === path) &&
      (!words || `${f.path} ${f.kernel} ${f.rule} ${f.message}`.toLowerCase().includes(words)));
    shown = 0;
    at("list").replaceChildren();
    more();
  };
  at("filters").addEventListener("input", choose);
  at("filters").addEventListener("submit", (event) => event.preventDefault());
  at("more").addEventListener("click", more);
  choose();
})();
