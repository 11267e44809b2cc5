// An answer may replace what has the focus by something else. The title of the page gets it then: without this it would
// be at the start of the document, and a screen reader's user would not know where.
"use strict";

let isInside = false;

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  isInside = detail.target.contains(document.activeElement);
});

document.addEventListener("htmx:afterSettle", () => {
  if (!isInside || document.activeElement !== document.body) return;
  isInside = false;
  const title = document.querySelector("main h1");
  title.tabIndex = -1;
  title.focus();
});
