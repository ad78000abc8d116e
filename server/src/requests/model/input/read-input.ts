import type { Context } from '../../../accounts/callers/context.ts';
import { decodeBase64 } from '../../../documents/formats/base64.ts';
import type { Engine } from '../../../engines/model/engine.ts';
import { assertWebUrl, requirePublicAddress } from '../../../platform/egress/egress.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Objections } from './objections.ts';

/** The document as a body names it. */
interface Input {
  readonly type: string;
  readonly url?: string | null;
  readonly dataBase64?: string | null;
}

export interface InputContext {
  readonly allowPrivateCidrs: readonly string[];
  readonly sentDocuments?: Context['sentDocuments'] | undefined;
}

/** The decoded document; null for one at a URL. `engine` is null where the catalogue has none that takes requests. */
export function readInput(
  { type, url, dataBase64 }: Input,
  engine: Engine | null,
  { allowPrivateCidrs, sentDocuments, objections }: InputContext & { readonly objections: Objections },
): Buffer | null {
  if (type !== 'url' && type !== 'base64') {
    throw new AppError('invalid_request', 'input.type: must be `url` or `base64`.');
  }
  if (engine) objections.check(() => requireAccepted(engine, type));
  if (type === 'base64') return decoded(dataBase64, sentDocuments);
  if (!url) throw new AppError('invalid_request', 'input.url: is required for type `url`.');
  const address = assertWebUrl(url, 'input.url');
  objections.check(() => requirePublicAddress(address, allowPrivateCidrs, 'input.url'));
  return null;
}

function requireAccepted(engine: Engine, type: string): void {
  if (engine.accepts.includes(type)) return;
  throw new AppError('invalid_request', `input.type: engine "${engine.id}" does not accept \`${type}\`.`);
}

function decoded(base64: Input['dataBase64'], sentDocuments: InputContext['sentDocuments']): Buffer {
  if (base64 === undefined || base64 === null) {
    throw new AppError('invalid_request', 'input.data_base64: is required for type `base64`.');
  }
  const bytes = sentDocuments?.take(base64) ?? decodeBase64(base64);
  if (bytes) return bytes;
  const hint = base64.startsWith('data:') ? ' Send the base64 alone, without the `data:` prefix.' : '';
  throw new AppError('invalid_request', `input.data_base64: is not valid base64.${hint}`);
}
