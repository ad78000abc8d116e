import type { Agent } from 'undici';
import type { Secrets } from '../../../database/secrets/secrets.ts';
import { subjectOf } from '../../../database/secrets/stored-secrets.ts';
import { type Exchange, exchange } from '../../../webhooks/exchange.ts';
import { signingSecrets } from '../../../webhooks/signing/former-secrets.ts';
import { signatureHeaders } from '../../../webhooks/signing/signature.ts';
import type { ClaimedNotice } from './delivery-store.ts';
import type { Mailer } from './mailer.ts';
import { messageOf, slackBody, webhookBody } from './message.ts';

const TIMEOUT_MS = 10_000;
const HEADERS = { 'content-type': 'application/json', 'user-agent': 'ocr-router' };

export interface NoticeSenderDeps {
  /** Reaches public addresses only. */
  readonly agent: Agent;
  readonly mailer: Mailer;
  readonly secrets: Secrets;
}

/** Sends one notice to its channel, once. */
export class NoticeSender {
  readonly #deps: NoticeSenderDeps;

  constructor(deps: NoticeSenderDeps) {
    this.#deps = deps;
  }

  /** Sends a notice. Throws when `signal` aborts, which ends the sending. */
  send(notice: ClaimedNotice, signal: AbortSignal): Promise<Exchange> {
    switch (notice.kind) {
      case 'webhook':
        return this.#post(notice.target, { body: webhookBody(notice), signal, signedAs: notice });
      case 'slack':
        return this.#post(this.#open(notice, notice.secret), { body: slackBody(notice), signal });
      case 'email': {
        const mail = { id: notice.id, to: notice.target, ...messageOf(notice) };
        return this.#deps.mailer.send(mail, { timeoutMs: TIMEOUT_MS, signal });
      }
    }
  }

  #post(url: string, { body, signal, signedAs }: { body: string; signal: AbortSignal; signedAs?: ClaimedNotice }) {
    const { agent } = this.#deps;
    const signature = signedAs
      ? signatureHeaders(signedAs.id, body, { secrets: this.#secretsOf(signedAs), at: new Date() })
      : {};
    const headers = { ...HEADERS, ...signature };
    return exchange(url, { agent, body, signal, timeoutMs: TIMEOUT_MS, headers, saysWhy: true });
  }

  #secretsOf(notice: ClaimedNotice): string[] {
    const subject = subjectOf('alert_channel', notice.channelId);
    return [this.#open(notice, notice.secret), ...signingSecrets(this.#deps.secrets, subject, notice.former)];
  }

  #open({ channelId }: ClaimedNotice, secret: string | null): string {
    if (secret === null) throw new Error('a channel of this kind is stored with a secret');
    return this.#deps.secrets.open(subjectOf('alert_channel', channelId), secret);
  }
}
