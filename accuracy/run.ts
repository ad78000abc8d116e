import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Agent } from 'undici';
import { Documents } from '../server/src/documents/documents.ts';
import { BUILT_IN } from '../server/src/engines/built-in.ts';
import { EngineRunner } from '../server/src/engines/engine-runner.ts';
import { mergeEntries, readEnginesFile } from '../server/src/engines/engines-file.ts';
import { makeCatalogue } from '../server/src/engines/make-catalogue.ts';
import type { Engine } from '../server/src/engines/model/engine.ts';
import { readConfig } from '../server/src/platform/config.ts';
import { makeLog } from '../server/src/platform/logging/log.ts';
import { readTruth } from './read-truth.ts';
import { type EngineReport, reportOf, showReports } from './report.ts';
import { anchors, gateway } from './suite/contenders.ts';
import { measureSuite, showSuite } from './suite/suite.ts';
import { readSuite } from './suite/suite-documents.ts';
import type { DocumentResult } from './summary.ts';
import { readTruths } from './truths.ts';

/**
 * `npm run accuracy -- --engines a,b [--documents DIR] [--out FILE]`: reads documents with known text through engines
 * of this installation's catalogue (ENGINES_FILE, as the server reads it) and says how wrong they were. `--suite FOLDER`
 * compares the gateway with what else is installed, instead.
 */
const { values } = parseArgs({
  options: {
    engines: { type: 'string', default: 'tesseract' },
    documents: { type: 'string', default: join(import.meta.dirname, 'corpus') },
    out: { type: 'string' },
    suite: { type: 'string' },
    contenders: { type: 'string' },
  },
});

const config = readConfig();
const catalogue = makeCatalogue(
  mergeEntries(BUILT_IN, config.enginesFile ? readEnginesFile(config.enginesFile) : { engines: [] }),
  config,
);
const truths = values.suite === undefined ? readTruths(values.documents) : [];
const wanted = values.engines.split(',').map((id) => usable(id.trim()));

await using stack = new AsyncDisposableStack();
const folder = stack.adopt(mkdtempSync(join(tmpdir(), 'ocr-router-accuracy-')), (path) =>
  rmSync(path, { recursive: true }),
);
const http = stack.adopt(new Agent({ headersTimeout: 0, bodyTimeout: 0 }), (agent) => agent.destroy());
const documents = stack.use(
  new Documents({
    threads: config.cores,
    maxPixels: config.maxPagePixels,
    maxSentPixels: config.maxPagePixels,
    maxPages: 5000,
    pdfTimeoutMs: config.pdfTimeoutMs,
    memoryMb: 512,
  }),
);
const tools = {
  http,
  documents,
  dataDir: folder,
  cores: config.cores,
  programEnv: config.programEnv,
  log: makeLog('warn'),
};
const engines = stack.use(new EngineRunner(catalogue, tools));

if (values.suite !== undefined) {
  const engine = usable('tesseract');
  const tried = [true, false].map((preprocess) => gateway(engine, { engines, documents }, preprocess));
  const asked = values.contenders?.split(',');
  const contenders = [...tried, ...(await anchors())].filter(({ name }) => asked?.includes(name) ?? true);
  const measured = await measureSuite(readSuite(values.suite), contenders, (line) => console.error(line));
  const table = showSuite(measured);
  console.log(table);
  if (values.out) writeFileSync(values.out, `${table}\n`);
}

const reports: EngineReport[] = [];
for (const engine of values.suite === undefined ? wanted : []) {
  const [first] = truths;
  if (first) await readTruth(first, engine, { engines, documents }); // the first call also loads the engine
  const results: DocumentResult[] = [];
  for (const truth of truths) {
    const result = await readTruth(truth, engine, { engines, documents });
    if (result) results.push(result);
    else console.log(`${engine.id} does not take ${truth.set}/${truth.name}: left out`);
  }
  reports.push(reportOf(engine.id, results, new Date()));
}
if (values.suite === undefined) showReports(reports);
if (values.suite === undefined && values.out) writeFileSync(values.out, `${JSON.stringify(reports, null, 2)}\n`);

function usable(id: string): Engine {
  const engine = catalogue.find(id);
  if (!engine) throw new Error(`there is no engine "${id}", but ${catalogue.engines.map((one) => one.id).join(', ')}`);
  if (engine.status !== 'available') throw new Error(`engine "${id}" is not configured`);
  return engine;
}
