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

const megabytes = { style: "unit", unit: "megabyte", maximumFractionDigits: 0 };
const inMegabytes = new Intl.NumberFormat(document.documentElement.lang, megabytes);
const say = (words, file) => {
  const size = file.size < 1e6 ? "" : ` (${inMegabytes.format(file.size / 1e6)})`; // one that takes a while
  status.textContent = words.replace("%s", () => file.name + size);
};
const prefer = () => { // the main button is that of what was chosen last
  const [lookUp, preview] = form.querySelectorAll("button");
  lookUp.classList.toggle("second", field.files.length);
  preview.classList.toggle("second", !field.files.length);
};
field.addEventListener("change", prefer);
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
  prefer();
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
  prefer();
  if (text.value.trim()) say(form.dataset.waits, files[0]);
  else form.requestSubmit();
});
