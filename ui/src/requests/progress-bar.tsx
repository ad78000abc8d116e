import { Progress } from '@mantine/core';
import { type JobProgress, progressWords } from './job-progress.ts';

/** How far a job has come, as a bar where its pages are known, and in words. */
export function ProgressBar({ progress }: { readonly progress: JobProgress }) {
  const { done, total } = progress;
  const words = progressWords(progress);
  return (
    <div>
      {total !== null && (
        <Progress value={(100 * done) / total} size="sm" radius="sm" mb={4} aria-label="Pages" aria-valuetext={words} />
      )}
      <span role="status">{words}</span>
    </div>
  );
}
