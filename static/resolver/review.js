// Keys of the review page: j k a r e u, digits and ?. Every action is a button or a link of the page, which works without this.
"use strict";

const cards = [...document.querySelectorAll("[data-review-row]")];
const help = document.getElementById("shortcuts");
const opener = document.querySelector("button[data-shortcuts]");
const toggle = document.getElementById("shortcuts-on");
const STORED = "review-shortcuts";
let current = -1;

function storedChoice() {
  try {
    return localStorage.getItem(STORED) !== "off";
  } catch {
    return true; // a browser that keeps nothing
  }
}

function keepChoice(on) {
  try {
    localStorage.setItem(STORED, on ? "on" : "off");
  } catch {
    // The choice holds for this page.
  }
}

function choicesOf(card) {
  return [...card.querySelectorAll("input[type=radio]:enabled")];
}

function mark(index) {
  for (const card of cards) card.classList.toggle("current", card === cards[index]);
}

function show(index) {
  current = index;
  mark(index);
  cards[index].focus();
}

function follow(rel) {
  const link = document.querySelector(`nav.pages a[rel=${rel}]`);
  if (link) link.click();
}

function press(selector) {
  cards[Math.max(current, 0)]?.querySelector(selector)?.click(); // no card: nothing is left to review
}

function choose(number) {
  const choice = cards.length ? choicesOf(cards[Math.max(current, 0)])[number - 1] : null;
  choice?.focus();
  choice?.click();
}

function edit() {
  const card = cards[Math.max(current, 0)];
  const enter = card?.querySelector("[data-enter]");
  if (!enter?.closest("details")?.open) enter?.click();
  card?.querySelector("input[name=doi]").focus();
}

const KEYS = {
  __proto__: null, // no key is called like a method of objects
  j: () => (current + 1 < cards.length ? show(current + 1) : follow("next")),
  k: () => (current > 0 ? show(current - 1) : follow("prev")),
  a: () => press("[data-accept]"),
  r: () => press("[data-reject]"),
  e: edit,
  u: () => document.querySelector("[data-undo] button")?.click(),
  "?": () => help.showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing || help.open) return;
  if (event.target.matches("input[type=text]")) {
    if (event.key === "Escape") show(cards.indexOf(event.target.closest("[data-review-row]")));
    return;
  }
  if (event.target.matches("textarea, select") || !toggle.checked) return;
  const action = KEYS[event.key] ?? (/^[1-9]$/.test(event.key) && (() => choose(event.key)));
  if (!action) return;
  event.preventDefault();
  action();
});

// The row in which something has the focus is the one that keys are for. A row that gets it passes it on to its choice,
// but not where its text is pressed, perhaps to be copied.
document.addEventListener("focusin", (event) => {
  const card = event.target.closest("[data-review-row]");
  const index = cards.indexOf(card);
  if (index < 0) return;
  if (index !== current) mark((current = index));
  if (event.target !== card || card.matches(":active")) return;
  (card.querySelector("input:checked") ?? choicesOf(card)[0])?.focus({ preventScroll: true });
});

// A form that is sent twice would find its row decided.
for (const form of document.querySelectorAll("main form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

toggle.checked = storedChoice();
toggle.addEventListener("change", () => keepChoice(toggle.checked));
opener.addEventListener("click", () => help.showModal());
opener.hidden = false;
current = cards.findIndex((card) => card.querySelector(".field-error"));
mark(Math.max(current, 0));
const asked = cards.findIndex((card) => `#${card.id}` === location.hash);
if (asked >= 0) show(asked);
