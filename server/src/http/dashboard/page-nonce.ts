import { randomBytes } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { ApiPlace } from './api-address.ts';
import { pageRules } from './page-rules.ts';

/** The rules of a page that has styles of its own, which carry the nonce of this one answer. */
export function pageWithStyles(api: ApiPlace): RequestHandler {
  const rules = pageRules(api, (_req, res) => `'nonce-${nonceOf(res as Response)}'`);
  return (req, res, next) => {
    res.locals['nonce'] = randomBytes(16).toString('base64url');
    rules(req, res, next);
  };
}

/** The nonce of an answer. Works only behind `pageWithStyles`. */
export function nonceOf(res: Response): string {
  return res.locals['nonce'] as string;
}
