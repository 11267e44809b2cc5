// The box for a text or a file: it has the focus, Ctrl+Enter sends it, a file dropped anywhere on the page goes into its
// file field, and while that is on its way the page says so. All but the focus works without this.
"use strict";

const form = document.querySelector("form[data-drop]");
const field = form.querySelector("input[type=file]");
const text = form.querySelector("textarea");
const status = form.querySelector("[role=status]");
const hasKeyboard = matchMedia("(hover: hover) and (pointer: fine)").matches; // a screen keyboard would cover the page

if (hasKeyboard && "focus" in form.dataset && !document.querySelector("[autofocus]") && !location.hash) {
  text.focus({ preventScroll: true });
}
for (const hint of form.querySelectorAll("[data-keys]")) hint.hidden = !hasKeyboard;

text.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});

const say = (words, file) => { status.textContent = words.replace("%s", () => file.name); };
const disable = (busy) => { for (const button of form.querySelectorAll("button")) button.disabled = busy; };

form.addEventListener("submit", () => {
  if (!field.files.length) return;
  say(form.dataset.taken, field.files[0]);
  setTimeout(() => disable(true)); // the form is sent with the button that was pressed
});
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  status.textContent = "";
  disable(false);
});

const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
const mark = (over) => form.classList.toggle("over", over);

document.addEventListener("dragover", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault(); // else the browser would open the file instead of the page
  mark(true);
});

document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) mark(false);
});

document.addEventListener("drop", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  mark(false);
  const { files } = event.dataTransfer;
  if (files.length !== 1) {
    status.textContent = form.dataset.one;
    return;
  }
  field.files = files;
  if (text.value.trim()) say(form.dataset.waits, files[0]);
  else form.requestSubmit();
});
