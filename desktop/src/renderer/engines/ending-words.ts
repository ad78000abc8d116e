import type { AttemptOutcome, ProviderFault } from '../../documents.generated.ts';

const OUTCOMES: Readonly<Record<AttemptOutcome, string>> = {
  ok: 'Read',
  refused: 'Content filter refused a page',
  empty: 'No text, though the page is not blank',
  truncated: 'Text breaks off or repeats',
  timeout: 'Did not answer in time',
  failed: 'Failed',
  rejected: 'native_settings were rejected',
  unreadable: 'No engine can read the page',
  cancelled: 'Cancelled',
  lost: 'Process died',
};

const FAULTS: Readonly<Record<ProviderFault, string>> = {
  credentials_refused: 'credentials refused',
  no_credit: 'no credit at the provider',
  unknown_model: 'unknown model or address',
  page_too_large: 'page too large',
  rate_limited: 'rate limited by the provider',
  redirected: 'address redirects',
  http_error: 'HTTP error',
};

/** How runs ended, in words: `Failed: credentials refused`. */
export function endingWords(outcome: AttemptOutcome, fault: ProviderFault | null): string {
  return fault === null ? OUTCOMES[outcome] : `${OUTCOMES[outcome]}: ${FAULTS[fault]}`;
}
