import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { benchGateway } from './gateway.ts';
import type { Row } from './measure.ts';
import { benchMemory } from './memory.ts';
import { benchOcr } from './ocr.ts';
import { benchReads } from './reads.ts';

/** `npm run bench -- [--only ocr,gateway,reads,memory] [--rounds 3] [--seconds 4] [--json FILE]`, on a built product. */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'gateway,reads,memory,ocr' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    json: { type: 'string' },
  },
});
const options = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
const benches: Record<string, () => Promise<Row[]>> = {
  gateway: () => benchGateway(options),
  reads: () => benchReads(options),
  memory: () => benchMemory(options),
  ocr: () => benchOcr(options),
};
const rows: Row[] = [];
for (const name of values.only.split(',')) {
  const bench = benches[name.trim()];
  if (!bench) throw new Error(`there is no benchmark "${name}"; there are ${Object.keys(benches).join(', ')}`);
  rows.push(...(await bench()));
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
