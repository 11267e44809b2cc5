// The worker of the page "Read texts on this device". It runs doi_reading, the portal's own Python, in WebAssembly, and
// reads lines with it. What it fetches are the files of Python and of doi_reading, before the first line.
//
// In: { load: { files, library } }, the addresses of a folder and of an archive; then { read: [line, ...] }, often, or
// { file: name, text }.
// Out: { fetched } in bytes and { ready } while it loads; { rows: [[reading, ...], ...] }, the readings of each line;
// { rows: [reading, ...] } of a file, each with its line, or { rows: null } if it is to be read by its lines; { failed },
// with the words of an error.
"use strict";

const READ_LINES = `
import json
from pathlib import PurePath
from doi_reading import read_all
from doi_reading.command.file_text import FileText, RefusedFile
from doi_reading.command.findings import MOST_FINDINGS, find_in_file
from doi_reading.command.formats import FORMATS

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

def read_file(name, text):
    suffix = PurePath(name).suffix.lower()
    if suffix == ".txt" or suffix not in FORMATS:
        return "null"
    found = find_in_file(FileText(text), name, with_places=True)
    if not found.is_whole:
        raise RefusedFile(f"it has more than {MOST_FINDINGS:,} DOIs")
    return json.dumps([{"line": one.whole.line, **describe(one.reading)} for one in found.places])

def read_file_or_say_why(name, text):
    try:
        return read_file(name, text)
    except RefusedFile as error:
        return json.dumps(str(error))

(read_lines, read_file_or_say_why)
`;

let readLines;
let readFile;
let fetched = 0;
const fetchWhole = self.fetch;

// Pyodide waits for ever for a file that doesn't come, or is damaged: the page must hear of it.
function giveUp(error) {
  postMessage({ failed: error.message });
  throw error;
}

for (const way of ["instantiate", "instantiateStreaming"]) {
  const make = WebAssembly[way].bind(WebAssembly);
  WebAssembly[way] = (...given) => make(...given).catch(giveUp);
}

// Pyodide fetches its files itself; this counts their bytes as they come.
self.fetch = async (...request) => {
  const answer = await fetchWhole(...request).catch(giveUp);
  if (!answer.ok) giveUp(new Error(`${answer.status} ${answer.url}`));
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
  [readLines, readFile] = python.runPython(READ_LINES);
  readLines('["10.1000/182"]'); // what is imported at the first text is imported now
  for (const way of ["fetch", "XMLHttpRequest", "WebSocket", "EventSource"]) self[way] = undefined; // no text is sent
  postMessage({ ready: true });
}

addEventListener("message", async ({ data }) => {
  try {
    if (data.load) await load(data.load);
    else if (data.file) postMessage({ rows: JSON.parse(readFile(data.file, data.text)) });
    else postMessage({ rows: JSON.parse(readLines(JSON.stringify(data.read))) });
  } catch (error) {
    postMessage({ failed: error.message });
  }
});
