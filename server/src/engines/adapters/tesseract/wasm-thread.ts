import { createRequire } from 'node:module';
import { lowerThreadPriority } from '../../../platform/low-priority.ts';

// The entry of a thread of tesseract.js: the library's own, below the thread that answers calls.
lowerThreadPriority();
createRequire(import.meta.url)('tesseract.js/src/worker-script/node/index.js');
