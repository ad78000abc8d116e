/** What results say of a cost that is not reported yet, and in place of that once an operator has verified it. */
export interface PendingWords {
  readonly pending: string;
  readonly verified: string;
}

/** In `provider_error`, of a failure. */
export const UNREPORTED_FAILURE: PendingWords = {
  pending: 'The provider has not reported what the attempt cost: billing is pending, nothing was charged for it yet.',
  verified: 'The provider has since reported what the attempt cost: `cost_debited` is what was charged for it.',
};

/** Among `warnings`, of a result that was read. */
export const UNREPORTED_READING: PendingWords = {
  pending: 'The provider’s usage is missing or not credible: billing is pending until its cost is verified.',
  verified:
    'The provider’s usage was missing or not credible: its cost was verified since, and `cost_debited` is what was charged.',
};

/** The SQL expression of a text in which the words are those of a verified cost. */
export function verifiedWordsSql(text: string, { pending, verified }: PendingWords): string {
  return `replace(${text}, '${pending}', '${verified}')`;
}
