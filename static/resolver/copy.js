// Copy buttons: they are hidden until this script, the only one, makes them work. The page says the words.
"use strict";

const told = document.createElement("p");
told.className = "vh";
told.setAttribute("role", "status");
document.querySelector("main").append(told);

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

for (const button of document.querySelectorAll("button[data-copy]")) {
  const words = button.textContent;
  let back;
  button.addEventListener("click", async () => {
    const done = await copy(button.dataset.copy);
    button.focus();
    clearTimeout(back);
    button.textContent = done ? button.dataset.done : button.dataset.failed;
    told.textContent = ""; // so that the same sentence is told again
    setTimeout(() => { told.textContent = done ? button.dataset.told : button.dataset.select; }, 50);
    back = setTimeout(() => { button.textContent = words; }, 2000);
  });
  button.hidden = false;
}
