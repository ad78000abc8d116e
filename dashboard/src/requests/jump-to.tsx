import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import classes from './requests.module.css';

/** Straight to a request whose id is at hand. */
export function JumpTo() {
  const [id, setId] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [, go] = useLocation();
  const jump = (event: FormEvent): void => {
    event.preventDefault();
    const found = /ocr_[0-9A-Za-z]{10,}/.exec(id)?.[0];
    setWrong(!found);
    if (found) go(`/requests/${found}`);
  };
  return (
    <form onSubmit={jump} className={classes['jump']}>
      <TextInput
        aria-label="Request id"
        placeholder="ocr_… jump to a request"
        value={id}
        error={isWrong ? 'A request id begins with ocr_' : undefined}
        onChange={(event) => setId(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        Open
      </Button>
    </form>
  );
}
