import { Button } from '@mantine/core';
import classes from './state.module.css';

interface FailedProps {
  /** What could not be done, such as `The engines could not be loaded`. */
  readonly title: string;
  /** What the service said. */
  readonly message: string;
  readonly onRetry?: () => void;
}

/** Something could not be fetched: what, why, and the way on. */
export function Failed({ title, message, onRetry }: FailedProps) {
  return (
    <div className={classes['state']} role="alert">
      <p className={classes['title']}>{title}</p>
      <p className={classes['words']}>{message}</p>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
