import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'What changed in the API on one day.', simpleResolvers: true })
export class ChangelogEntry {
  @Field(() => String, { description: 'API version, a date.' })
  version!: string;

  @Field(() => String, { description: 'Date of the change, YYYY-MM-DD.' })
  date!: string;

  @Field(() => [String], { description: 'The changes, a sentence each.' })
  changes!: string[];
}

/** The API's changes, newest first. The newest entry's version is `X-API-Version`. */
export const CHANGELOG: readonly [ChangelogEntry, ...ChangelogEntry[]] = [
  {
    version: '2026-11-22',
    date: '2026-11-22',
    changes: [
      // In every entry, because clients look for it in the current one.
      'Every response carries the header X-API-Version with the version of the newest entry of this changelog: this one.',
      'POST /v1/ocr and batch items accept include: results carry page_results with lines, words, where they stand, and tables.',
      'GET /v1/ocr/{request_id}/pages lists the pages of a request, also of a large PDF while it runs.',
      'GET and POST /v1/ocr/{request_id}/output: a result as text, Markdown, CSV, hOCR, ALTO or a searchable PDF.',
      'POST /v1/ocr/{request_id}/cancel ends a request before its own end; its results carry cancelled_at.',
      'DELETE /v1/ocr/{request_id} deletes what was read, store: false keeps nothing; results may carry retained_until.',
      'POST /v1/ocr/estimate says what a document would cost; max_cost_usd bounds what a request is charged.',
      'Owners may set what a key spends: beyond it 402 budget_exceeded, and budget_remaining_usd of an estimate says what is left.',
      'GET /v1/incidents: when engines were down, failed more often than usual, or were slow.',
      'settings.preprocess: pages are prepared so that they read better, and metadata.preprocessing says how.',
      'POST /v1/ocr/batch: items that end as partial have extracted_text_preview and warning, as single requests do.',
      'GET /v1/engines/health takes engines=all: those that are not probed are added, judged by their calls.',
    ],
  },
  {
    version: '2026-11-20',
    date: '2026-11-20',
    changes: [
      'Every response carries the header X-API-Version with the version of the newest entry of this changelog.',
      'POST /v1/ocr reads pictures and PDFs with the engines tesseract, pdf-text and any OpenAI-compatible endpoint.',
      'Replayed outcomes carry the header Idempotent-Replayed: true.',
      'GET /v1/engines accepts sort=accuracy.',
    ],
  },
];

export const API_VERSION = CHANGELOG[0].version;
