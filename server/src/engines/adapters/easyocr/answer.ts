import { z } from 'zod';
import { maxOf, minOf } from '../../../platform/numbers/extremes.ts';
import type { EngineInput, Reading } from '../../model/engine.ts';
import { unread } from '../../model/reading.ts';
import { meanConfidence, parseJson } from '../http/answer.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import { listOf } from '../http/list-of.ts';
import { malformedAnswer } from '../http/malformed-answer.ts';
import { layoutOf } from './layout.ts';

const POINT = z.tuple([z.number(), z.number()]);
const FRAGMENT = z.object({
  text: z.string(),
  confidence: z.number().nullish().catch(null),
  bbox: listOf(POINT, 1).nullish().catch(null),
});
const RESULTS = z.object({ results: listOf(FRAGMENT) });

type Fragment = z.infer<typeof FRAGMENT>;

/** Reads the fragments that EasyOCR recognised, as lines. `secret` never appears in the reading. */
export function readResults(
  answer: HttpAnswer,
  { input, positions }: { input: EngineInput; positions: boolean },
  secret: string | null,
): Reading {
  const json = parseJson(answer.text);
  const parsed = RESULTS.safeParse(json);
  if (!parsed.success) {
    return { ...malformedAnswer(answer, json, { secret, shape: 'a list of EasyOCR’s results' }), billed: 'no' };
  }
  const { results } = parsed.data;
  const lines = linesOf(results);
  const text = lines.map((line) => line.map((fragment) => fragment.text).join(' ')).join('\n');
  if (text.trim() === '' || input.kind === 'document') return unread({ ending: { kind: 'empty' }, billed: 'no' });
  const confidence = meanConfidence(results.map((fragment) => fragment.confidence));
  const layout = positions ? layoutOf(lines, input) : null;
  const page = { number: input.page, text, confidence, source: 'engine', ...(layout && { layout }) } as const;
  return unread({ ending: { kind: 'ok' }, pages: [page], billed: 'no' });
}

/** Joins pieces of lines, which EasyOCR finds: a piece to the right of the one before it, at its height, continues the line. */
function linesOf(fragments: readonly Fragment[]): Fragment[][] {
  const lines: Fragment[][] = [];
  for (const fragment of fragments) {
    const line = lines.at(-1);
    const before = line?.at(-1);
    if (line && before && continuesLine(before, fragment)) line.push(fragment);
    else lines.push([fragment]);
  }
  return lines;
}

function continuesLine(before: Fragment, after: Fragment): boolean {
  if (!before.bbox || !after.bbox) return false;
  const [left, right] = [extent(before.bbox, 0), extent(after.bbox, 0)];
  const [line, next] = [extent(before.bbox, 1), extent(after.bbox, 1)];
  const middle = (next.from + next.to) / 2;
  return right.from >= left.from && right.to > left.to && middle > line.from && middle < line.to;
}

function extent(box: readonly [number, number][], axis: 0 | 1) {
  const values = box.map((point) => point[axis]);
  return { from: minOf(values), to: maxOf(values) };
}
