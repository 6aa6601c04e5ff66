// Narrows the list to the entries that hold all words that are typed, and fit what is chosen. The choice stands in the
// address, so that it can be passed on.
"use strict";
const form = document.getElementById("filters");
const entries = [...document.querySelectorAll("#all li")].map((item) => ({ item, text: item.textContent.toLowerCase() }));

function fits({ item, text }, fields) {
    const words = fields.words.toLowerCase().split(/\s+/);
    const holds = (name) => !fields[name] || (item.dataset[name] || "").split(" ").includes(fields[name]);
    return words.every((word) => text.includes(word)) && ["kind", "level", "group", "platform"].every(holds);
}

function narrow() {
    const fields = Object.fromEntries(new FormData(form));
    let shown = 0;
    for (const entry of entries) {
        entry.item.hidden = !fits(entry, fields);
        shown += entry.item.hidden ? 0 : 1;
    }
    document.getElementById("count").textContent = `${shown} of ${entries.length}`;
    const chosen = Object.entries(fields).filter(([, value]) => value);
    history.replaceState(null, "", "#" + new URLSearchParams(chosen));
}

for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    if (form.elements[name]) form.elements[name].value = value;
}
form.addEventListener("input", narrow);
form.addEventListener("submit", (event) => event.preventDefault());
narrow();
