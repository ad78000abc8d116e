import { Button, TextInput } from '@mantine/core';
import { pastedId } from '@ocr-router/ui/requests/pasted-id.ts';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import classes from './requests.module.css';

/** Straight to a request, or to a refused call, whose id is at hand. */
export function JumpTo() {
  const [id, setId] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [, go] = useLocation();
  const jump = (event: FormEvent): void => {
    event.preventDefault();
    const found = pastedId(id);
    setWrong(found === null);
    if (found !== null) go(`/requests/${found.id}`);
  };
  return (
    <form onSubmit={jump} className={classes['jump']}>
      <TextInput
        aria-label="Request id"
        placeholder="ocr_… or req_…"
        value={id}
        classNames={{ root: classes['jumpField'], wrapper: classes['jumpInput'], error: classes['jumpError'] }}
        error={isWrong ? 'An id begins with ocr_ or req_' : undefined}
        onChange={(event) => setId(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        Open
      </Button>
    </form>
  );
}
