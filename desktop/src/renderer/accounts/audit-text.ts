interface Audited {
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly via: string;
  /** Named beside the text, so not again within it. */
  readonly subject?: string | null;
  readonly outcome?: string | null;
}

const ACTIONS: Record<string, string> = {
  acknowledgeAlert: 'Alert acknowledged',
  addCredit: 'Credit added',
  adjustCredit: 'Balance corrected',
  createAlertChannel: 'Alert channel added',
  createAlertRule: 'Alert rule written',
  createAccount: 'Account made',
  createKey: 'Key made',
  createSession: 'Session opened',
  deleteAlertChannel: 'Alert channel removed',
  deleteAlertRule: 'Alert rule removed',
  labelKey: 'Key renamed',
  muteAlerts: 'Alerts muted',
  probeEngine: 'Engine probed',
  refundRequest: 'Request refunded',
  redeliverWebhook: 'Webhook sent again',
  redeliverWebhooks: 'Failed webhooks sent again',
  revokeKey: 'Key revoked',
  rotateAlertChannelSecret: 'Alert channel’s secret changed',
  setAlertQuietHours: 'Quiet hours changed',
  setEngineEnabled: 'Engine switched',
  setHistory: 'Keeping of texts changed',
  testAlertChannel: 'Alert channel tried out',
  updateAlertChannel: 'Alert channel changed',
  updateAlertRule: 'Alert rule changed',
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
