// The worker of the page "Read texts on this device". It runs doi_reading, the portal's own Python, in WebAssembly, and
// reads lines with it. What it fetches are the files of Python and of doi_reading, before the first line.
//
// In: { load: { files, library } }, the addresses of a folder and of an archive; then { read: [line, ...] }, often.
// Out: { fetched } in bytes and { ready } while it loads; { rows: [[reading, ...], ...] }, the readings of each line;
// { failed }, with the words of an error.
"use strict";

const READ_LINES = `
import json
from doi_reading import read_all

def describe(reading):
    return {
        "text": reading.input,
        "doi": str(reading.doi or reading.short_doi or ""),
        "url": reading.url or "",
        "problems": [(one.code, one.severity, one.start, one.end) for one in reading.problems],
        "possible": [one.doi for one in reading.candidates],
    }

def read_lines(lines):
    return json.dumps([[describe(one) for one in read_all(line)] for line in json.loads(lines)])

read_lines
`;

let readLines;
let fetched = 0;
const fetchWhole = self.fetch;

// Pyodide fetches its files itself; this counts their bytes as they come.
self.fetch = async (...request) => {
  const answer = await fetchWhole(...request);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.url}`);
  const count = new TransformStream({
    transform(part, stream) {
      fetched += part.length;
      postMessage({ fetched });
      stream.enqueue(part);
    },
  });
  return new Response(answer.body.pipeThrough(count), { headers: answer.headers });
};

async function load({ files, library }) {
  const { loadPyodide } = await import(`${files}pyodide.mjs`);
  const archive = fetch(library).then((answer) => answer.arrayBuffer());
  const [python, content] = await Promise.all([loadPyodide({ indexURL: files }), archive]);
  python.unpackArchive(content, "zip", { extractDir: "/library" });
  python.runPython("import sys; sys.path.insert(0, '/library')");
  readLines = python.runPython(READ_LINES);
  readLines('["10.1000/182"]'); // what is imported at the first text is imported now
  for (const way of ["fetch", "XMLHttpRequest", "WebSocket", "EventSource"]) self[way] = undefined; // no text is sent
  postMessage({ ready: true });
}

addEventListener("message", async ({ data }) => {
  try {
    if (data.load) await load(data.load);
    else postMessage({ rows: JSON.parse(readLines(JSON.stringify(data.read))) });
  } catch (error) {
    postMessage({ failed: error.message });
  }
});
