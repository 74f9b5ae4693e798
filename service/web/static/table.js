/* The page of a table: hears of changes and shows them without a reload, sends moves, and says what a tap would send. */
"use strict";
(() => {
  const WORDS = { discard: "discard", meld: "meld", add: "add", pickup: "pickup", play: "play", pass: "pass", exchange: "exchange", expose: "expose" };
  const announce = document.getElementById("announce");
  const board = () => document.getElementById("table");
  let busy = 0; // requests of ours under way
  let stale = null; // the mark of a change that came while one was
  let sending = false; // one of them is a move
  let asked = 0, shown = 0; // numbers of requests: an answer that comes after a later one's is not shown

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
    const focus = document.activeElement && old.contains(document.activeElement) ? document.activeElement.id : "";
    const typed = keep && document.getElementById("typed") ? document.getElementById("typed").value : "";
    const open = [...old.querySelectorAll("details[open]")].map((each) => each.className);
    old.replaceWith(document.adoptNode(next));
    for (const part of [".top .where", ".top .to-scores"]) { // the round, and where the link at the top leads
      const now = document.querySelector(part), then = fresh.querySelector(part);
      if (now && then && now.outerHTML !== then.outerHTML) now.replaceWith(document.adoptNode(then));
    }
    document.title = fresh.title;
    choose(codes);
    if (typed && document.getElementById("typed")) document.getElementById("typed").value = typed;
    for (const each of next.querySelectorAll("details")) if (each.className && open.includes(each.className)) each.open = true;
    if (focus && document.getElementById(focus)) document.getElementById(focus).focus({ preventScroll: true });
    preview();
    const said = next.querySelector("#said .answer, #note");
    const turn = document.getElementById("turn").textContent;
    const news = keep ? [...next.querySelectorAll("#news li.new")].slice(0, 3).reverse().map(spoken) : [];
    announce.textContent = [keep || !said ? "" : said.textContent, ...news, turn === before ? "" : turn].filter(Boolean).join(" ");
    if (!keep && said && !matchMedia("(min-width: 64rem)").matches) said.scrollIntoView({ block: "center" });
  }

  /* A line of the news as it is read out: names of cards, no pictures. */
  const spoken = (item) => item.textContent.replace(/\s+/g, " ").replace("New: ", "").trim() + ".";

  async function ask(address, options, keep) {
    const number = ++asked;
    busy += 1;
    try {
      const answer = await fetch(address, { credentials: "same-origin", cache: "no-store", ...options });
      const html = await answer.text();
      if (number > shown) {
        shown = number;
        show(html, answer.url, keep);
      }
      return true;
    } catch {
      return false;
    } finally {
      busy -= 1;
      if (!busy && stale !== null) changed(stale);
    }
  }

  /* The table stands so now: asks for it, unless that is what is shown. An answer that is under way may show it. */
  function changed(mark) {
    stale = busy > 0 ? mark : null;
    if (stale === null && mark !== board().dataset.mark) ask(board().dataset.here, {}, true);
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
    const sent = await ask(form.action, { method: "POST", body }, quiet);
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
    }
  });

  document.addEventListener("change", (event) => {
    if (event.target.name === "card") preview();
  });

  /* Live: the server says that something has changed, and the page asks for itself. */
  function listen() {
    const feed = new EventSource(board().dataset.events + "?mark=" + encodeURIComponent(board().dataset.mark));
    feed.addEventListener("changed", (event) => {
      changed(event.lastEventId);
    });
    feed.addEventListener("error", () => {
      if (feed.readyState === EventSource.CLOSED) setTimeout(listen, 15000); // it is full there, or we are offline
    });
  }

  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") changed("");
  });

  preview();
  if (board() && window.EventSource) listen();
})();
