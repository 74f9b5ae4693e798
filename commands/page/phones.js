/* All phones of this machine side by side: asks twice a second what they show. */
"use strict";
(() => {
  const home = location.pathname.replace(/\/$/, "");
  const phones = document.getElementById("phones");
  const shown = new Map(); // by name: the section, and how many lines of it stand there

  function add(phone) {
    const section = document.getElementById("phone").content.firstElementChild.cloneNode(true);
    const id = `text-${phone.name}`;
    const number = document.createElement("small");
    number.textContent = phone.number;
    section.dataset.name = phone.name;
    section.querySelector("h2").append(phone.name, number);
    section.querySelector("label").textContent = `Text from ${phone.name}`;
    section.querySelector("label").htmlFor = id;
    const field = section.querySelector("textarea");
    field.id = id;
    section.querySelector(".talk").setAttribute("aria-label", `${phone.name}'s conversation`);
    section.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      if (!field.value.trim()) return;
      send(phone.name, field.value);
      field.value = "";
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        section.querySelector("form").requestSubmit();
      }
    });
    phones.append(section);
    return { section, lines: 0 };
  }

  /* A text with its addresses as links. */
  function bubble(line) {
    const item = document.createElement("p");
    item.className = line.mine ? "me" : "them";
    for (const part of line.text.split(/(https?:\/\/\S+)/)) {
      if (!/^https?:/.test(part)) {
        item.append(part);
        continue;
      }
      const link = document.createElement("a");
      link.href = link.textContent = part;
      link.target = "_blank";
      link.rel = "noreferrer";
      item.append(link);
    }
    return item;
  }

  function show(all) {
    for (const phone of all) {
      if (!shown.has(phone.name)) shown.set(phone.name, add(phone));
      const here = shown.get(phone.name);
      const talk = here.section.querySelector(".talk");
      for (const line of phone.lines.slice(here.lines)) talk.append(bubble(line));
      if (phone.lines.length > here.lines) talk.scrollTop = talk.scrollHeight;
      here.lines = phone.lines.length;
    }
  }

  async function look() {
    try {
      show(await (await fetch(`${home}/all.json`, { cache: "no-store" })).json());
    } catch {
      document.title = "Queenline has ended";
    }
  }

  async function send(name, body) {
    await fetch(`${home}/${encodeURIComponent(name)}`, { method: "POST", body });
    look();
  }

  document.getElementById("add").addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = document.getElementById("name");
    const answer = await fetch(`${home}/${encodeURIComponent(field.value.trim())}?settled=1`);
    if (answer.ok) field.value = "";
    field.setCustomValidity(answer.ok ? "" : await answer.text());
    field.reportValidity();
    look();
  });
  document.getElementById("name").addEventListener("input", (event) => event.target.setCustomValidity(""));

  look();
  setInterval(look, 500);
})();
