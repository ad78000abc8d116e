import { createRequire } from 'node:module';
import { lowerThreadPriority } from '../../../platform/low-priority.ts';

// The entry of a thread of tesseract.js: the library's own, below the thread that answers calls.
// A thread that reads strangers' pictures needs none of our settings, but the library starts it with a copy of all.
for (const name of Object.keys(process.env)) delete process.env[name];
lowerThreadPriority();
createRequire(import.meta.url)('tesseract.js/src/worker-script/node/index.js');
