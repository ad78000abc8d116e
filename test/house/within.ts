const PATIENCE_MS = 60_000;

/** What is waited for, or an error that names it: a browser's and a process's own promises may stay open for ever. */
export async function within<T>(what: string, promise: Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const limit = setTimeout(() => reject(new Error(`waited in vain until ${what}`)), patienceMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(limit);
  }
}
