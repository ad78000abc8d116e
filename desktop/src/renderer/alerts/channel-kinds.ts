import type { AlertChannelKind } from '../../documents.generated.ts';

/** How a kind of channel is asked for in the form. */
export interface ChannelKindWords {
  readonly name: string;
  readonly target: string;
  readonly placeholder: string;
  readonly help: string;
}

export const CHANNEL_KINDS: Readonly<Record<AlertChannelKind, ChannelKindWords>> = {
  webhook: {
    name: 'Webhook',
    target: 'URL',
    placeholder: 'https://example.com/hooks/alerts',
    help: 'A signed POST with the alerts in JSON.',
  },
  slack: {
    name: 'Slack or compatible',
    target: 'Incoming webhook URL',
    placeholder: 'https://hooks.slack.com/services/…',
    help: 'Slack, Mattermost, Rocket.Chat and others. The URL is a secret: it is not shown again.',
  },
  email: {
    name: 'E-mail',
    target: 'Addresses',
    placeholder: 'operations@example.com',
    help: 'One to ten, comma separated. The gateway needs a mail server (SMTP_URL).',
  },
};
