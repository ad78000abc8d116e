import { useDebouncedValue } from '@mantine/hooks';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import { useEffect, useState } from 'react';
import type { AlertPreview, AlertRuleInput } from '../../shared/alerts.ts';
import { bridge } from '../bridge/bridge.ts';
import classes from './alerts.module.css';
import { previewSentence } from './rule-sentence.ts';

interface RulePreviewProps {
  readonly draft: AlertRuleInput;
  readonly nameOf: (engineId: string) => string;
}

const SHOWN = 8;

/** What the rule would have told lately, by what the gateway still knows. */
export function RulePreview({ draft, nameOf }: RulePreviewProps) {
  const [asked] = useDebouncedValue(draft, 300);
  const [preview, setPreview] = useState<AlertPreview | Error | null>(null);
  useEffect(() => {
    let isCurrent = true;
    bridge
      .invoke('alerts.preview', asked)
      .catch((error: Error) => error)
      .then((answer) => {
        if (isCurrent) setPreview(answer);
      });
    return () => {
      isCurrent = false;
    };
  }, [asked]);
  return (
    <output className={classes['preview']} aria-busy={preview === null || asked !== draft}>
      <Words preview={preview} nameOf={nameOf} />
    </output>
  );
}

function Words({
  preview,
  nameOf,
}: { readonly preview: AlertPreview | Error | null } & Pick<RulePreviewProps, 'nameOf'>) {
  if (preview === null) return 'Looking back…';
  if (preview instanceof Error) return `Nothing to look back at: ${preview.message}`;
  if (preview.unknown !== null) return preview.unknown;
  const { fired, days } = preview;
  return (
    <>
      <strong>{previewSentence(fired.length, days)}</strong>
      {fired.length > 0 && (
        <ul className={classes['wouldHave']}>
          {fired.slice(0, SHOWN).map(({ at, engineId, detail }) => (
            <li key={`${at} ${engineId}`}>
              {shortTime(at)} {engineId !== null && nameOf(engineId)} {detail}
            </li>
          ))}
          {fired.length > SHOWN && <li>and {fired.length - SHOWN} more</li>}
        </ul>
      )}
    </>
  );
}
