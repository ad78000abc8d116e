import { setFlagsFromString } from 'node:v8';

/** Imported first by the entries: what follows (GraphQL's checks, Express) takes its fast, quiet form unless told otherwise. */
process.env['NODE_ENV'] ??= 'production';

// Libraries stand in one bundle with our code, so that Node takes their calls for ours: what it says of them is nothing
// that an operator can mend.
process.noDeprecation = true;

// Our heap is mostly code and what was loaded, which V8 marks anew in each of its great collections; by itself it makes
// one for every few megabytes that outlive a request, a third of the processor time under load. It may grow to three times
// what is in use first; what it has grown by is given back when little is asked (`memory/idle-memory.ts`).
setFlagsFromString('--heap-growing-percent=200');
