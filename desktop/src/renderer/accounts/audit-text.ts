interface Audited {
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly via: string;
  /** Named beside the text, so not again within it. */
  readonly subject?: string | null;
  readonly outcome?: string | null;
}

const ACTIONS: Record<string, string> = {
  addCredit: 'Credit added',
  adjustCredit: 'Balance corrected',
  createAccount: 'Account made',
  createKey: 'Key made',
  createSession: 'Session opened',
  labelKey: 'Key renamed',
  probeEngine: 'Engine probed',
  refundRequest: 'Request refunded',
  redeliverWebhook: 'Webhook sent again',
  revokeKey: 'Key revoked',
  setEngineEnabled: 'Engine switched',
  setHistory: 'Keeping of texts changed',
  verifyCost: 'Late cost entered',
};

/** An operator's deed in words: what, with which arguments, and whether it was done. */
export function auditText({ action, details, via, subject, outcome }: Audited): string {
  const told = Object.entries(details)
    .filter(([, value]) => value !== null && value !== subject && typeof value !== 'object')
    .map(([name, value]) => `${name} ${String(value)}`);
  const words = [ACTIONS[action] ?? action, told.length > 0 && `(${told.join(', ')})`];
  const end = outcome == null ? 'its end is unknown' : outcome === 'done' ? null : `not done: ${outcome}`;
  return [words.filter(Boolean).join(' '), end, via === 'graphql' ? null : `by the ${via}`].filter(Boolean).join(', ');
}
