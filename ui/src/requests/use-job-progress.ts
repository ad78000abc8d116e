import { useEffect, useRef } from 'react';
import { useNow } from '../kit/use-now.ts';
import { type JobProgress, jobProgress, type RunningRequest } from './job-progress.ts';

const LOOK_MS = 3000;

interface Looking {
  readonly look: () => void;
  /** While nobody answers. */
  readonly pause?: boolean;
}

/** How far a job has come. Its pages have no subscription: they are asked for while it runs and the page can be seen. */
export function useJobProgress(request: RunningRequest, { look, pause = false }: Looking): JobProgress | null {
  const progress = jobProgress(request, useNow(1000));
  const latest = useRef(look);
  latest.current = look;
  const isOver = progress === null;
  useEffect(() => {
    if (isOver || pause) return;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [isOver, pause]);
  return progress;
}
