import { z } from 'zod';
import { hasTextBesidesImages } from '../../../documents/markdown/image-markup.ts';
import type { Ending, EngineInput, EngineSettings, Reading } from '../../model/engine.ts';
import { unread } from '../../model/reading.ts';
import { parseJson } from '../http/answer.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import { httpEnding } from '../http/failure.ts';
import { malformedAnswer } from '../http/malformed-answer.ts';
import { doclingLayout } from './layout.ts';

const CONVERSION = z.object({
  document: z
    .object({
      md_content: z.string().nullish(),
      text_content: z.string().nullish(),
      json_content: z.unknown().optional(),
    })
    .nullish(),
  status: z.string(),
  errors: z
    .array(z.object({ error_message: z.string() }))
    .nullish()
    .catch(null),
});
type Conversion = z.infer<typeof CONVERSION>;

type Asked = Pick<EngineSettings, 'positions' | 'tables'> & { readonly input: EngineInput };

/** The mark that docling writes in place of a picture. */
const PLACEHOLDER = /^[ \t]*<!-- image -->[ \t]*\n*/gm;
const BROKEN_FILE = /\bis not valid\b|not supported by|could not (?:be )?(?:open|load|pars|read)/i;

/** Reads the conversion of one page. `secret` never appears in the reading. */
export function readConversion(answer: HttpAnswer, asked: Asked, secret: string | null): Reading {
  const { input } = asked;
  const json = parseJson(answer.text);
  const parsed = CONVERSION.safeParse(json);
  if (!parsed.success) {
    return { ...malformedAnswer(answer, json, { secret, shape: 'a conversion' }), billed: 'no' };
  }
  const number = input.kind === 'picture' ? input.page : (input.pages[0] ?? 1);
  const text = textOf(parsed.data);
  const ending = endingOf(parsed.data, text, secret);
  if (ending.kind !== 'ok' && ending.kind !== 'truncated') return unread({ ending, billed: 'no' });
  const layout = asked.positions || asked.tables ? doclingLayout(parsed.data.document?.json_content, asked) : null;
  const page = { number, text, confidence: null, source: 'engine', ...(layout && { layout }) } as const;
  return unread({ ending, pages: text === '' ? [] : [page], billed: 'no', warnings: strangeStatus(parsed.data) });
}

function textOf({ document }: Conversion): string {
  const text = (document?.md_content ?? document?.text_content ?? '').replace(PLACEHOLDER, '').trim();
  return hasTextBesidesImages(text) ? text : '';
}

function endingOf({ status, errors }: Conversion, text: string, secret: string | null): Ending {
  const message = (errors ?? []).map((error) => error.error_message).join(' ');
  switch (status) {
    case 'failure':
      return failure(message, secret);
    case 'skipped':
      return { kind: 'failed', message: 'The engine skipped the page.', temporary: false, httpStatus: null };
    case 'partial_success':
      return text === '' ? failure(message, secret) : { kind: 'truncated', message: 'The engine read a part only.' };
    case 'success':
      return text === '' ? { kind: 'empty' } : { kind: 'ok' };
    default:
      return text === '' ? failure(message || `unknown status ${status.slice(0, 40)}`, secret) : { kind: 'ok' };
  }
}

/**
 * The ending of a failed conversion: that of an HTTP error with the same words. Words about a file that docling cannot open make
 * it unreadable.
 */
function failure(message: string, secret: string | null): Ending {
  const fault = { codes: [], param: null, message, retryAfterSeconds: null };
  const ending = httpEnding({ ...fault, status: 422 }, secret);
  if (ending.kind === 'unreadable') return ending;
  if (BROKEN_FILE.test(message)) return { kind: 'unreadable', message: 'The engine cannot read the file.' };
  return httpEnding({ ...fault, status: 502 }, secret);
}

function strangeStatus({ status }: Conversion): string[] {
  if (status === 'success' || status === 'partial_success') return [];
  return [`The engine ended with "${status.slice(0, 40)}", which is not known; its text was kept.`];
}
