import { requireStorableText } from '../../database/storable.ts';
import { AppError } from '../../platform/errors.ts';

const LONGEST = 200;

/** A name for people, of a key or of a webhook. Throws `invalid_request` for one that is too long or cannot be stored. */
export function checkedLabel(label: string): string {
  if (label.length > LONGEST) throw new AppError('invalid_request', `label: is longer than ${LONGEST} characters.`);
  requireStorableText('label', label);
  return label;
}
