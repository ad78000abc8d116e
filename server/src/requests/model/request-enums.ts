import { enumType } from '../../platform/enum-type.ts';

export const RequestStatus = enumType('RequestStatus', 'What reading a request shows of its state.', {
  queued: 'It waits for a worker.',
  processing: 'It is at work.',
  succeeded: 'Its document was read.',
  partial: 'A part of its document was read, of which only a preview is kept.',
  failed: 'Its document was not read.',
  rejected: 'Its document cannot be read.',
});
export type RequestStatus = keyof typeof RequestStatus;

export const RequestOutcome = enumType('RequestOutcome', 'What submitting a request shows of its end.', {
  processing: 'It has not ended.',
  succeeded: 'Its document was read.',
  partial: 'A part of its document was read, of which only a preview is kept.',
  refunded: 'Its document was not read: its price was not charged.',
  timeout: 'Its time was over.',
});
export type RequestOutcome = keyof typeof RequestOutcome;

export const Mode = enumType('Mode', 'Whether a caller waits for the result.', {
  sync: 'The answer is the result.',
  async: 'The answer says where to ask for the result.',
});
export type Mode = keyof typeof Mode;

export const OutputFormat = enumType('OutputFormat', 'The shape of an answer over REST.', {
  json: 'A JSON object.',
  text: 'Plain text.',
  markdown: 'Markdown.',
});
export type OutputFormat = keyof typeof OutputFormat;
