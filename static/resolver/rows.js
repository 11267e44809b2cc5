// A row opens beside the list, which keeps its place. Without this, or in a narrow window, its link opens the row's page.
"use strict";

const panel = document.getElementById("row-panel");
const place = document.getElementById("row-place");
const isWide = matchMedia("(min-width: 60rem)");
let shown; // the link, in the table or in the panel, that was followed last

function findInTable(link) {
  return [...document.querySelectorAll("table.rows a.open")].find((each) => each.pathname === link.pathname);
}

function mark(link) {
  document.querySelector("table.rows a.open[aria-current]")?.removeAttribute("aria-current");
  findInTable(link)?.setAttribute("aria-current", "true");
}

async function show(link) {
  shown = link;
  await htmx.ajax("GET", link.href, {
    source: place,
    target: place,
    select: "main > :not(.list-name, .tabs)",
    swap: "innerHTML ignoreTitle:true",
  });
  if (!place.firstElementChild) return;
  if (!panel.open) panel.showModal();
  panel.scrollTop = 0;
  mark(link);
  const title = place.querySelector("h1");
  title.tabIndex = -1;
  title.focus();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("table.rows a.open, #row-panel nav.pages a");
  const isPlain = !(event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!link || !panel || !isWide.matches || !isPlain) return;
  event.preventDefault();
  show(link);
});

panel?.addEventListener("click", (event) => {
  if (event.target === panel) panel.close(); // beside the panel: what is in it is a child
});

panel?.addEventListener("close", () => {
  findInTable(shown)?.focus();
  place.replaceChildren();
});

// The list may be gone, or the connection: the page of the row says so.
for (const failure of ["htmx:responseError", "htmx:sendError"]) {
  place?.addEventListener(failure, () => location.assign(shown.href));
}
