/* The page of a table: hears of changes and shows them without a reload, sends moves, and says what a tap would send. */
"use strict";
(() => {
  const WORDS = { discard: "discard", meld: "meld", add: "add", pickup: "pickup", play: "play", pass: "pass", exchange: "exchange", expose: "expose" };
  const LONGEST = 30000, SOON = 4000, LATE = 60000; // ms: for an answer, and between looks that fail
  const announce = document.getElementById("announce"), offline = document.getElementById("offline");
  const board = () => document.getElementById("table");
  let busy = 0; // requests of ours under way
  let stale = null; // the mark of a change that came while one was
  let sending = false; // one of them is a move
  let asked = 0, shown = 0; // numbers of requests: an answer that comes after a later one's is not shown
  let pause = SOON, again = 0; // after how long a look that failed is tried again, and its timer

  /* Which cards are chosen, by code, so that they stay so when the page is drawn anew. */
  const chosen = () => [...document.querySelectorAll("[data-hand] input:checked")].map((box) => box.value);

  function choose(codes) {
    const left = [...codes];
    for (const box of document.querySelectorAll("[data-hand] input")) {
      const at = left.indexOf(box.value);
      box.checked = at >= 0;
      if (at >= 0) left.splice(at, 1);
    }
  }

  /* What a tap on each button would send, and which of them have the right number of cards. */
  function preview() {
    const form = document.getElementById("move");
    const line = form && form.querySelector("[data-preview]");
    if (!line) return;
    const cards = chosen();
    let only = null;
    for (const button of form.querySelectorAll("button[name=do]")) {
      const fits = cards.length >= +button.dataset.least && cards.length <= +button.dataset.most;
      button.disabled = !fits;
      if (fits) only = only === null ? button : false;
    }
    line.textContent = cards.length ? "" : "Tap cards, then:";
    if (!cards.length) return;
    line.append(`${cards.length} chosen` + (only ? ", sends " : ": "));
    const sends = document.createElement("b");
    sends.textContent = (only ? WORDS[only.value] + " " : "") + cards.join(" ").replace(/\bT(?=[CDHS])/g, "10");
    line.append(sends);
  }

  /* The element of a fresh page that is what this one was of the old; a card has the number of its place in the hand. */
  function twin(held, next) {
    if (held.id && held.name !== "card") return next.querySelector("#" + held.id);
    if (held.name) return [...next.querySelectorAll("[name]")].find((each) => each.name === held.name && each.value === held.value);
    return [...next.querySelectorAll("summary")].find((each) => each.parentElement.className === held.parentElement.className);
  }

  /* What has been filled in, but for the cards: fields that have ids. */
  const FIELDS = "#typed, #to, #number-field";

  /* Puts the table of another answer in the place of this one. */
  function show(html, address, keep) {
    const fresh = new DOMParser().parseFromString(html, "text/html");
    const next = fresh.getElementById("table");
    if (!next) { // the address is dead, or the hand was put away
      location.reload();
      return;
    }
    const old = board();
    const before = document.getElementById("turn").textContent;
    const codes = keep ? chosen() : [];
    const held = old.contains(document.activeElement) ? document.activeElement : null;
    const filled = keep ? [...old.querySelectorAll(FIELDS)] : [];
    const open = [...old.querySelectorAll("details[open]")].map((each) => each.className);
    old.replaceWith(document.adoptNode(next));
    for (const part of [".top .where", ".top .to-scores"]) { // the round, and where the link at the top leads
      const now = document.querySelector(part), then = fresh.querySelector(part);
      if (now && then && now.outerHTML !== then.outerHTML) now.replaceWith(document.adoptNode(then));
    }
    document.title = fresh.title;
    choose(codes);
    for (const field of filled) {
      const now = next.querySelector("#" + field.id);
      if (now && field.value && (!now.options || [...now.options].some((each) => each.value === field.value))) now.value = field.value;
    }
    for (const each of next.querySelectorAll("details")) if (each.className && open.includes(each.className)) each.open = true;
    preview();
    if (held) { // after a move, and where it has gone, whoever goes by keys goes on from whose turn it is
      const stays = keep || held.id === "typed" ? twin(held, next) : null;
      (stays && !stays.disabled ? stays : document.getElementById("turn")).focus({ preventScroll: true });
    }
    const said = next.querySelector("#said .answer, #note");
    const turn = document.getElementById("turn").textContent;
    const news = keep ? [...next.querySelectorAll("#news li.new")].slice(0, 3).reverse().map(spoken) : [];
    announce.textContent = [keep || !said ? "" : said.textContent, ...news, turn === before ? "" : turn].filter(Boolean).join(" ");
    if (!keep && said && !matchMedia("(min-width: 64rem)").matches) said.scrollIntoView({ block: "center" });
  }

  /* A line of the news as it is read out: names of cards, no pictures. */
  const spoken = (item) => item.textContent.replace(/\s+/g, " ").replace("New: ", "").trim() + ".";

  /* Whether an answer came, which then is shown. What is no page of ours (of a proxy whose server is away) is none. */
  async function ask(address, options, keep) {
    const number = ++asked;
    busy += 1;
    const ending = new AbortController(), clock = setTimeout(() => ending.abort(), LONGEST);
    try {
      const answer = await fetch(address, { credentials: "same-origin", cache: "no-store", signal: ending.signal, ...options });
      const html = await answer.text();
      if (!answer.ok && answer.status !== 404) return false;
      offline.hidden = true;
      pause = SOON;
      if (number > shown) {
        shown = number;
        show(html, answer.url, keep);
      }
      return true;
    } catch {
      return false;
    } finally {
      clearTimeout(clock);
      busy -= 1;
      if (!busy && stale !== null) changed(stale);
    }
  }

  /* The table stands so now: asks for it, unless that is what is shown. An answer that is under way may show it. */
  function changed(mark) {
    stale = busy > 0 ? mark : null;
    if (stale === null && mark !== board().dataset.mark) look();
  }

  /* Asks for the table as it is now, until it comes; says so where it does not. */
  async function look() {
    clearTimeout(again);
    again = 0;
    if (await ask(board().dataset.here, {}, true) || again) return; // of two that fail, one is tried again
    again = setTimeout(changed, pause, "");
    pause = Math.min(2 * pause, LATE);
    if (offline.hidden) announce.textContent = offline.textContent;
    offline.hidden = false;
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!board() || !board().contains(form) || form.classList.contains("away")) return;
    event.preventDefault();
    const quiet = "quiet" in form.dataset;
    if (sending && !quiet) return; // a double tap is one
    const body = new URLSearchParams(new FormData(form));
    if (event.submitter && event.submitter.name) body.set(event.submitter.name, event.submitter.value);
    board().setAttribute("aria-busy", "true");
    sending = sending || !quiet;
    const slow = setTimeout(() => { announce.textContent = "Sending."; }, 2000);
    const sent = await ask(form.action, { method: "POST", body }, quiet);
    clearTimeout(slow);
    if (!quiet) sending = false;
    if (!sent) {
      board().removeAttribute("aria-busy");
      announce.textContent = "There is no connection. Nothing was lost: try again in a moment.";
      let note = document.getElementById("note");
      if (!note) {
        note = document.createElement("p");
        note.id = "note";
        note.className = "notice bad";
        document.getElementById("turn").after(note);
      }
      note.textContent = announce.textContent;
      note.scrollIntoView({ block: "center" });
    }
  });

  document.addEventListener("change", (event) => {
    if (event.target.name === "card") preview();
  });

  /* Live: the server says that something has changed, and the page asks for itself. */
  function listen() {
    const feed = new EventSource(board().dataset.events + "?mark=" + encodeURIComponent(board().dataset.mark));
    let lost = 0;
    feed.addEventListener("changed", (event) => {
      changed(event.lastEventId);
    });
    feed.addEventListener("open", () => {
      clearTimeout(lost);
      lost = 0;
      if (again) changed(""); // there is a connection, and a look has failed
    });
    feed.addEventListener("error", () => {
      if (feed.readyState === EventSource.CLOSED) { // it is full there, or the address is dead
        changed("");
        setTimeout(listen, 15000);
      } else {
        lost = lost || setTimeout(changed, SOON * 2, "");
      }
    });
  }

  addEventListener("online", () => changed(""));
  addEventListener("pageshow", (event) => {
    if (event.persisted) changed(""); // the back button brought it as it was
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") changed("");
  });

  preview();
  if (board() && window.EventSource) listen();
})();
