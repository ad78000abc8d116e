/** Most characters of JSON that are kept of a provider's report on one call. */
const LONGEST_USAGE = 4000;

/** The usage as it came, with one entry for each call; of an entry that is absurdly long or deep only that is told. */
export function storableUsage(usage: unknown): unknown {
  if (!Array.isArray(usage)) return short(usage);
  return usage.map(short);
}

function short(usage: unknown): unknown {
  const length = jsonLength(usage);
  if (length === null) return { omitted: 'nested too deep' };
  return length <= LONGEST_USAGE ? usage : { omitted: `${length} characters` };
}

/** Characters of the value as JSON; null for one that is nested so deep that it cannot be written. */
function jsonLength(value: unknown): number | null {
  try {
    return (JSON.stringify(value) ?? '').length;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
