/**
 * The least of some numbers; Infinity where there are none. A call takes no more than some hundred thousand arguments: for as
 * many letters as a hostile page has, or as many corners as a provider may send, `Math.min(...numbers)` is a RangeError.
 */
export function minOf(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
}

/** The greatest of them; -Infinity where there are none. */
export function maxOf(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
}
