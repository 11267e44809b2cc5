// A file dropped anywhere on the page goes into the page's file field; the field itself works without this.
"use strict";

const form = document.querySelector("form[data-drop]");
const field = form.querySelector("input[type=file]");
const text = form.querySelector("textarea");
const status = form.querySelector("[role=status]");

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
  const isAlone = !text.value.trim();
  status.textContent = (isAlone ? form.dataset.taken : form.dataset.waits).replace("%s", () => files[0].name);
  if (isAlone) form.requestSubmit();
});
