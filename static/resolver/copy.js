// Copy buttons: they are hidden until this script, the only one, makes them work. The page says the words.
"use strict";

const status = document.createElement("p");
status.className = "vh";
status.setAttribute("role", "status");
document.querySelector("main").append(status);

// Pages that came by plain http have no navigator.clipboard.
function copyBySelecting(text) {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "vh";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelecting(text);
  }
}

function prepare(button) {
  const words = button.textContent;
  let back;
  button.addEventListener("click", async () => {
    const done = await copy(button.dataset.copy ?? document.getElementById(button.dataset.from).textContent);
    button.focus();
    clearTimeout(back);
    button.textContent = done ? button.dataset.done : button.dataset.failed;
    status.textContent = ""; // so that a repeated sentence is announced again
    setTimeout(() => { status.textContent = done ? button.dataset.announce : button.dataset.select; }, 50);
    back = setTimeout(() => { button.textContent = words; }, 2000);
  });
  button.hidden = false;
}

const prepareAll = (within) => within.querySelectorAll("button:is([data-copy], [data-from])").forEach(prepare);
prepareAll(document);
document.addEventListener("htmx:afterSettle", (event) => prepareAll(event.target)); // of a row that opens beside its list
