// For HEALTHCHECK: whether the process that listens here is ready. A worker needs WORKER_PORT for it.
const { WORKER_PORT = '0', PORT = '8080' } = process.env;
const url = `http://127.0.0.1:${WORKER_PORT === '0' ? PORT : WORKER_PORT}/readyz`;
const answer = await fetch(url, { signal: AbortSignal.timeout(4000) }).catch(() => null);
process.exit(answer?.ok ? 0 : 1);
