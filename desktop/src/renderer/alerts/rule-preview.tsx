import { useDebouncedValue } from '@mantine/hooks';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { AlertPreviewDocument, type AlertPreviewQuery } from '../../documents.generated.ts';
import classes from './alerts.module.css';
import { type RuleDraft, ruleInput } from './rule-kinds.ts';
import { previewSentence } from './rule-sentence.ts';

interface RulePreviewProps {
  readonly draft: RuleDraft;
  readonly nameOf: (engineId: string) => string;
}

const SHOWN = 8;

/** What the rule would have told lately, by what the gateway still knows. */
export function RulePreview({ draft, nameOf }: RulePreviewProps) {
  const [asked] = useDebouncedValue(draft, 300);
  const { data, failure, loading } = useQuery(AlertPreviewDocument, { rule: ruleInput(asked) });
  return (
    <output className={classes['preview']} aria-busy={loading || asked !== draft}>
      {data ? (
        <Words preview={data.alertPreview} nameOf={nameOf} />
      ) : failure ? (
        `Nothing to look back on: ${failureText(failure)}`
      ) : (
        'Looking back…'
      )}
    </output>
  );
}

interface WordsProps extends Pick<RulePreviewProps, 'nameOf'> {
  readonly preview: AlertPreviewQuery['alertPreview'];
}

function Words({ preview, nameOf }: WordsProps) {
  if (preview.unknown !== null) return preview.unknown;
  const { days } = preview;
  const latest = [...preview.fired].reverse();
  return (
    <>
      <strong>{previewSentence(latest.length, days)}</strong>
      {latest.length > 0 && (
        <ul className={classes['wouldHave']}>
          {latest.slice(0, SHOWN).map(({ at, engineId, detail }) => (
            <li key={`${at} ${engineId}`}>
              {shortTime(at)} {engineId !== null && nameOf(engineId)} {detail}
            </li>
          ))}
          {latest.length > SHOWN && <li>and {latest.length - SHOWN} more</li>}
        </ul>
      )}
    </>
  );
}
