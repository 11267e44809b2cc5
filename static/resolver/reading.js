// The page "Read texts on this device": it gives the lines of a text or a file to its worker and shows what they mean.
// Nothing is sent anywhere. The page says all words: they are in its attributes.
"use strict";

const reader = document.querySelector("[data-worker]");
const part = (name) => reader.querySelector(`[data-part=${name}]`);
const words = reader.dataset;
const [text, file, status, bar, table] = ["text", "file", "status", "bar", "table"].map(part);
const body = table.querySelector("tbody");
const titles = new Map([...part("titles").children].map((one) => [one.dataset.code, one.firstElementChild]));

const LINES_AT_ONCE = 100;
const ROWS_AT_ONCE = 500; // in the table; the file has all
const MOST_BYTES = 20e6;
const MOST_LINES = 100_000;
const RISKY = /^[=@\t\r\n|+\-＝＠＋－]/; // a spreadsheet would take such a cell for a formula

const language = document.documentElement.lang;
const number = new Intl.NumberFormat(language);
const oneDigit = new Intl.NumberFormat(language, { maximumFractionDigits: 1, minimumFractionDigits: 1 });
const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const say = (sentence, values = {}) => { status.textContent = fill(sentence, values); };

/* ---- the worker ---- */

let worker;
let loading; // a promise once the first click has asked for it
let answer; // what waits for the next answer of the worker

function load() {
  loading ??= new Promise((resolve, reject) => {
    say(words.loading, { megabytes: oneDigit.format(words.bytes / 1e6) });
    bar.max = words.bytes;
    bar.value = 0;
    bar.hidden = false;
    worker = new Worker(words.worker, { type: "module" });
    worker.addEventListener("error", (event) => reject(new Error(event.message || words.worker)));
    worker.addEventListener("message", ({ data }) => {
      if (data.fetched) bar.value = data.fetched;
      else if (data.failed) (answer?.reject ?? reject)(new Error(data.failed));
      else if (data.ready) resolve();
      else answer.resolve(data.rows);
    });
    // The worker is a file of its own, elsewhere than the page.
    const here = (address) => new URL(address, location.href).href;
    // A browser fetches a typeface at the first letter that needs it: then the letters of a text would be told.
    for (const face of document.fonts) face.load().catch(() => {}); // without one, the text is in another
    worker.postMessage({ load: { files: here(words.files), library: here(words.library) } });
  });
  return loading;
}

function ask(message) {
  return new Promise((resolve, reject) => {
    answer = { resolve, reject };
    worker.postMessage(message);
  });
}

function fail(error) {
  worker?.terminate();
  loading = answer = undefined; // the next click loads it again
  say(words.failed, { error: error.message });
}

/* ---- the text ---- */

async function decode(blob) {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const starts = (...mark) => mark.every((byte, at) => bytes[at] === byte);
  if (starts(0xff, 0xfe)) return new TextDecoder("utf-16le").decode(bytes);
  if (starts(0xfe, 0xff)) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

// The whole text, the name of its file, and the lines that are not empty, with their numbers; or nothing, once the page
// has said why.
async function getText() {
  const [chosen] = file.files;
  if (chosen?.size > MOST_BYTES) return say(words.large, { megabytes: number.format(MOST_BYTES / 1e6) });
  const whole = chosen ? await decode(chosen) : text.value;
  if (whole.includes("\0")) return say(words.binary);
  const lines = whole.split(/\r\n|\r|\n/).map((line, at) => [at + 1, line]).filter(([, line]) => line.trim());
  if (!lines.length) return say(words.empty);
  if (lines.length > MOST_LINES) return say(words.long, { lines: number.format(MOST_LINES) });
  return { whole, name: chosen?.name, lines };
}

/* ---- the table ---- */

let rows = [];
let next = 0; // of the row that is shown next
let room = 0; // for so many more

const RANKS = ["", "info", "warning", "error"];

// The text with its problems marked. Python counts code points. The words around a DOI are no mistake.
function mark({ text: given, problems }) {
  const points = Array.from(given);
  const ranks = new Uint8Array(points.length);
  for (const [code, severity, start, end] of problems) {
    if (code === "surrounding-text") continue;
    const rank = RANKS.indexOf(severity);
    for (let at = start; at < end; at++) ranks[at] = Math.max(ranks[at], rank);
  }
  const shown = document.createElement("span");
  shown.className = "raw";
  for (let start = 0, at = 1; at <= points.length; at++) {
    if (at < points.length && ranks[at] === ranks[start]) continue;
    const piece = points.slice(start, at).join("");
    const element = ranks[start] ? document.createElement("mark") : document.createTextNode(piece);
    if (ranks[start]) {
      element.className = RANKS[ranks[start]];
      element.textContent = piece;
    }
    shown.append(element);
    start = at;
  }
  return shown;
}

function listProblems(problems) {
  const list = document.createElement("ul");
  list.className = "names";
  for (const code of new Set(problems.map(([code]) => code))) {
    const item = document.createElement("li");
    const title = titles.get(code)?.cloneNode(true) ?? code;
    if (title.href) title.target = "_blank"; // the results stay
    item.append(title);
    list.append(item);
  }
  return list;
}

// The name, as a link if there is one.
function write(doi, url = "") {
  const name = document.createElement(url ? "a" : "span");
  name.className = "name";
  name.textContent = doi;
  if (url) {
    name.href = url;
    name.rel = "noreferrer";
    name.target = "_blank"; // the results stay
  }
  return name;
}

function show(row) {
  const line = document.createElement("tr");
  for (const [at, head] of [...table.tHead.rows[0].cells].entries()) {
    const cell = document.createElement(at ? "td" : "th");
    if (at) cell.className = "wrap";
    else cell.scope = "row";
    cell.dataset.label = head.textContent.trim();
    line.append(cell);
  }
  const [first, given, doi, problems, possible] = line.cells;
  first.textContent = number.format(row.line);
  given.append(mark(row));
  if (row.doi) doi.append(write(row.doi, row.url));
  if (row.problems.length) problems.append(listProblems(row.problems));
  if (row.possible.length) possible.append(write(row.possible[0]));
  body.append(line);
}

const isWanted = (row) => !part("only").checked || row.problems.some(([, severity]) => severity !== "info");

function showMore() {
  for (; next < rows.length; next++) {
    if (!isWanted(rows[next])) continue;
    if (!room) break;
    show(rows[next]);
    room--;
  }
  part("more").hidden = next >= rows.length;
  table.parentElement.hidden = !body.rows.length;
}

function showFromStart() {
  body.replaceChildren();
  next = 0;
  room = ROWS_AT_ONCE;
  showMore();
}

function count(lines, seconds) {
  const sums = {
    lines: lines.length,
    dois: rows.filter((row) => row.doi).length,
    none: rows.filter((row) => !row.doi).length,
    errors: rows.filter((row) => row.problems.some(([, severity]) => severity === "error")).length,
    warnings: rows.filter((row) => row.problems.some(([, severity]) => severity === "warning")).length,
  };
  for (const [name, sum] of Object.entries(sums)) part(name).textContent = number.format(sum);
  part("seconds").textContent = oneDigit.format(seconds);
}

/* ---- reading ---- */

let stopped = false;

async function read() {
  rows = [];
  stopped = false;
  part("sums").hidden = true;
  showFromStart();
  const chosen = await getText();
  if (!chosen) return;
  const { whole, name, lines } = chosen;
  await load();
  say(words.reading);
  bar.max = lines.length;
  bar.value = 0;
  bar.hidden = false;
  part("stop").hidden = false;
  const start = performance.now();
  let done = 0;
  const ofFile = name && await ask({ file: name, text: whole });
  if (typeof ofFile === "string") return say(words.failed, { error: ofFile });
  if (ofFile) {
    rows = ofFile;
    done = lines.length;
    showMore();
  }
  while (done < lines.length && !stopped) {
    const some = lines.slice(done, done + LINES_AT_ONCE);
    const found = await ask({ read: some.map(([, line]) => line) });
    found.forEach((readings, at) => rows.push(...readings.map((one) => ({ line: some[at][0], ...one }))));
    done += some.length;
    bar.value = done;
    showMore();
  }
  count(lines.slice(0, done), (performance.now() - start) / 1000);
  part("sums").hidden = false;
  say(stopped ? words.stopped : words.done);
}

async function run(work) {
  const buttons = [part("load"), part("read")];
  for (const button of buttons) button.disabled = true;
  try {
    await work();
  } catch (error) {
    fail(error);
  }
  for (const button of buttons) button.disabled = false;
  bar.hidden = part("stop").hidden = true;
}

async function loadAlone() {
  await load();
  say(words.ready);
}

/* ---- the file to keep ---- */

function quote(value) {
  const cell = String(value);
  return `"${(RISKY.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
}

function download() {
  const head = ["line", "text", "doi", "url", "problems", "possible_doi"];
  const lines = rows.map(({ line, text: given, doi, url, problems, possible }) => {
    const codes = [...new Set(problems.map(([code]) => code))].join(" ");
    return [line, given, doi, url, codes, possible[0] ?? ""];
  });
  const content = [head, ...lines].map((line) => line.map(quote).join(",")).join("\r\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", content, "\r\n"], { type: "text/csv" }));
  link.download = "doi-reading.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

part("read").addEventListener("click", () => run(read));
part("load").addEventListener("click", () => run(loadAlone));
part("stop").addEventListener("click", () => { stopped = true; });
part("more").addEventListener("click", () => { room = ROWS_AT_ONCE; showMore(); });
part("only").addEventListener("change", showFromStart);
part("download").addEventListener("click", download);
text.addEventListener("input", () => { file.value = ""; }); // what was chosen last is read
text.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
  event.preventDefault();
  part("read").click();
});
reader.hidden = false;
