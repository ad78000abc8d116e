/** A unit of `length` items stands `repeats` times (2 or more) at the end of the sequence. */
export interface TailPeriod {
  readonly length: number;
  readonly repeats: number;
}

/** Every unit that repeats at the end of a sequence, shortest first, without units that are repeats of a shorter one. */
export function tailPeriods(sequence: ArrayLike<number>): TailPeriod[] {
  const matches = matchesWithEnd(sequence);
  const found: TailPeriod[] = [];
  for (let length = 1; length * 2 <= sequence.length; length += 1) {
    const match = matches[length] ?? 0;
    if (match < length) continue;
    // At most about log n units survive, so that this look back stays cheap.
    const isPower = found.some((unit) => length % unit.length === 0 && length <= unit.length * unit.repeats);
    if (!isPower) found.push({ length, repeats: 1 + Math.floor(match / length) });
  }
  return found;
}

/** For each shift, how many items at the end equal the items `shift` before them: the Z array of the reversed sequence. */
function matchesWithEnd(sequence: ArrayLike<number>): Int32Array {
  const size = sequence.length;
  const matches = new Int32Array(size);
  const fromEnd = (i: number) => sequence[size - 1 - i];
  let left = 0;
  let right = 0;
  for (let i = 1; i < size; i += 1) {
    let match = i < right ? Math.min(right - i, matches[i - left] ?? 0) : 0;
    while (i + match < size && fromEnd(match) === fromEnd(i + match)) match += 1;
    if (i + match > right) {
      left = i;
      right = i + match;
    }
    matches[i] = match;
  }
  return matches;
}
