import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { type DetailedRequestFragment, UsualTimeDocument } from '../../documents.generated.ts';
import panel from '../kit/kit.module.css';
import { pageMs, usualWords } from './usual-words.ts';

/** How the engine's time compares to its usual one; nothing where that is not known. */
export function UsualTime({ request }: { readonly request: DetailedRequestFragment }) {
  const { engine, attempts } = request;
  const { data } = useQuery(UsualTimeDocument, { engine });
  const words = data ? usualWords(pageMs(attempts, engine), data.engine.window) : null;
  return words && <p className={panel['words']}>{words}</p>;
}
