interface Audited {
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly via: string;
  /** Named beside the text, so not again within it. */
  readonly subject?: string | null;
  readonly outcome?: string | null;
}

/** Mutations by their name, commands by theirs. */
const ACTIONS: Record<string, string> = {
  'account create': 'Account created',
  'account delete': 'Account deleted',
  'account disconnect': 'Login at the provider disconnected',
  'account email': 'E-mail address changed',
  'account export': 'Account exported',
  'account password': 'Password changed',
  'account retention': 'Retention of texts changed',
  'billing verify': 'Late cost entered',
  'credit add': 'Credit added',
  'credit adjust': 'Balance corrected',
  'credit refund': 'Request refunded',
  'demo seed': 'Demo data written',
  'engine disable': 'Engine disabled',
  'engine enable': 'Engine enabled',
  'history off': 'Keeping of texts switched off',
  'history on': 'Keeping of texts switched on',
  'identity rotate': 'Key of session tokens changed',
  'key create': 'Key created',
  'key revoke': 'Key revoked',
  'secrets rotate': 'Secrets encrypted with a new key',
  'session create': 'Session opened',
  acknowledgeAlert: 'Alert acknowledged',
  addCredit: 'Credit added',
  adjustCredit: 'Balance corrected',
  createAlertChannel: 'Alert channel added',
  createAlertRule: 'Alert rule added',
  createAccount: 'Account created',
  createKey: 'Key created',
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
  testAlertChannel: 'Alert channel tested',
  updateAlertChannel: 'Alert channel changed',
  updateAlertRule: 'Alert rule changed',
  verifyCost: 'Late cost entered',
};

/** Mutations that switch, as the commands that do the same; and which of their arguments says on or off. */
const SWITCHES: Record<string, { readonly by: string; readonly on: string; readonly off: string }> = {
  setEngineEnabled: { by: 'enabled', on: 'engine enable', off: 'engine disable' },
  setHistory: { by: 'on', on: 'history on', off: 'history off' },
};

/** What an operator did: with which arguments, whether it was done, and where it came from if not from a face. */
export function auditText(entry: Audited): string {
  return entry.via === 'graphql' ? actionText(entry) : `${actionText(entry)}, by the ${entry.via}`;
}

/** What an operator did: with which arguments, and whether it was done. */
export function actionText({ action, details, subject, outcome }: Omit<Audited, 'via'>): string {
  const { by, on, off } = SWITCHES[action] ?? { by: '', on: action, off: action };
  const { [by]: isOn, ...rest } = details;
  const told = Object.entries(rest)
    .filter(([, value]) => value !== null && value !== subject && typeof value !== 'object')
    .map(([name, value]) => `${name} ${String(value)}`);
  const name = isOn === false ? off : on;
  const words = [ACTIONS[name] ?? name, told.length > 0 && `(${told.join(', ')})`];
  const end = outcome == null ? 'its end is unknown' : outcome === 'done' ? null : `not done: ${outcome}`;
  return [words.filter(Boolean).join(' '), end].filter(Boolean).join(', ');
}
