import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Who may come in: a browser on this machine that was given the secret of the moment, which opens once. */
export class AccessGuard {
  #secret = newSecret();
  readonly #session = newSecret();
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  /** What opens for the next browser. */
  get secret(): string {
    return this.#secret;
  }

  /** The cookie for who brought the secret. Another port of this machine has another name for it. */
  get cookie(): string {
    return `${this.#name}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** A name of this machine, so that no other name that was made to point here (DNS rebinding) gets an answer. */
  isOwnHost({ headers }: IncomingMessage): boolean {
    return headers.host === `127.0.0.1:${this.#port}` || headers.host === `localhost:${this.#port}`;
  }

  /** A page of this very server, or somebody's own hand in the address line. */
  isOwnOrigin({ headers }: IncomingMessage): boolean {
    const { origin, host } = headers;
    if (origin !== undefined && origin !== `http://${host}`) return false;
    const site = headers['sec-fetch-site'];
    return site === undefined || site === 'same-origin' || site === 'none';
  }

  /** Whether the secret opens: it does so once, and what a browser's history has of it is worth nothing. */
  redeem(secret: string | null): boolean {
    if (secret === null || !isEqual(secret, this.#secret)) return false;
    this.#secret = newSecret();
    return true;
  }

  hasCookie({ headers }: IncomingMessage): boolean {
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
    return pairs.some(([name, value = '']) => name === this.#name && isEqual(value, this.#session));
  }

  get #name(): string {
    return `ocr-router-console-${this.#port}`;
  }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** In a time that says nothing of where they differ. */
function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
