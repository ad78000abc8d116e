import type { Exchange } from '../../../webhooks/exchange.ts';
import { reasonOf, refusalsOf, statusOf } from './mail-failure.ts';
import type { Notice } from './notice.ts';

export interface MailSettings {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly smtpUrl: string;
  readonly from: string;
}

export interface Mail extends Notice {
  readonly id: string;
  /** Valid addresses, comma separated. */
  readonly to: string;
}

const LOCAL_PART_HOST = 'ocr-router';

/** Hands messages to the operator's mail server, each over a connection of its own. */
export class Mailer {
  readonly #settings: MailSettings | null;

  /** `settings` is null where there is no mail server. */
  constructor(settings: MailSettings | null) {
    this.#settings = settings;
  }

  get isReady(): boolean {
    return this.#settings !== null;
  }

  /** Sends a message. Failures of the mail server are answered; throws only when `signal` aborts, which ends the sending. */
  async send(mail: Mail, { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal }): Promise<Exchange> {
    if (this.#settings === null) return failed('The service has no SMTP_URL.', null, null);
    const { createTransport } = await import('nodemailer'); // only where there is a mail server
    signal.throwIfAborted(); // one that has aborted is never heard to abort
    const started = performance.now();
    const latencyMs = () => Math.round(performance.now() - started);
    const transport = createTransport(withTimes(this.#settings.smtpUrl, timeoutMs));
    const late = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const sent = transport.sendMail(messageOf(mail, this.#settings.from));
      sent.catch(() => undefined); // what it says after the end of the time is of no interest
      const taken = await Promise.race([sent, aborted(late)]);
      return { delivered: true, responseCode: 250, latencyMs: latencyMs(), error: refusalsOf(taken) };
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) return failed(`No answer within ${timeoutMs / 1000} seconds.`, null, latencyMs());
      return failed(reasonOf(error), statusOf(error), latencyMs());
    } finally {
      transport.close();
    }
  }
}

/** The message. A retry has the same id, so that a reader that has it need not show it twice. */
function messageOf({ id, to, title, text }: Mail, from: string) {
  return {
    from,
    to,
    subject: `[ocr-router] ${title}`,
    text: text === '' ? title : `${title}\n\n${text}`,
    messageId: `<${id}@${LOCAL_PART_HOST}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The URL with a limit for each step, so that none outlives the whole. Limits that the operator has set in the URL stay. */
function withTimes(smtpUrl: string, timeoutMs: number): string {
  const url = new URL(smtpUrl);
  for (const name of ['connectionTimeout', 'greetingTimeout', 'socketTimeout']) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(timeoutMs));
  }
  return url.href;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function failed(error: string, responseCode: number | null, latencyMs: number | null): Exchange {
  return { delivered: false, responseCode, latencyMs, error };
}
