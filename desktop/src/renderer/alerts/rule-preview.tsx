import { useDebouncedValue } from '@mantine/hooks';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { AlertPreviewDocument, type AlertPreviewQuery } from '../../documents.generated.ts';
import classes from './alerts.module.css';
import { type RuleDraft, ruleInput } from './rule-kinds.ts';
import { previewSentence } from './rule-sentence.ts';
import { shownFirings } from './shown-firings.ts';

interface RulePreviewProps {
  readonly draft: RuleDraft;
  readonly nameOf: (engineId: string) => string;
}

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
  const { days, fired } = preview;
  const { shown, more } = shownFirings(fired);
  return (
    <>
      <strong>{previewSentence(fired.length, days)}</strong>
      {shown.length > 0 && (
        <ul className={classes['wouldHave']}>
          {shown.map(({ at, engineId, detail }) => (
            <li key={`${at} ${engineId}`}>
              {shortTime(at)} {engineId !== null && nameOf(engineId)} {detail}
            </li>
          ))}
          {more > 0 && <li>and {more} more</li>}
        </ul>
      )}
    </>
  );
}
