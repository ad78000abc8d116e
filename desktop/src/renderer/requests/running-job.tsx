import { ProgressBar } from '@ocr-router/ui/requests/progress-bar.tsx';
import { useJobProgress } from '@ocr-router/ui/requests/use-job-progress.ts';
import type { DetailedRequestFragment } from '../../documents.generated.ts';
import { useConnection } from '../bridge/connection.tsx';
import { Section } from '../kit/section.tsx';

interface RunningJobProps {
  readonly request: DetailedRequestFragment;
  readonly onLook: () => void;
}

/** How far a large job has come; nothing for other requests. */
export function RunningJob({ request, onLook }: RunningJobProps) {
  const { state } = useConnection();
  const progress = useJobProgress(request, { look: onLook, pause: state !== 'live' });
  if (progress === null) return null;
  return (
    <Section title="Progress">
      <ProgressBar progress={progress} />
    </Section>
  );
}
