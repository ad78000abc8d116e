import { Button } from '@mantine/core';
import { money } from '@ocr-router/ui/format/money.ts';
import { understoodBody } from '@ocr-router/ui/requests/understood-body.ts';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { RequestQuery } from '../documents.generated.ts';
import { refusalText } from '../http/refusal.ts';
import { Dialog } from '../kit/dialog.tsx';
import type { Source } from '../playground/draft.ts';
import { DropZone } from '../playground/drop-zone.tsx';
import { readFile } from '../playground/read-file.ts';
import { inputOf, type OcrBody } from '../playground/request-body.ts';
import { useSending } from '../playground/use-sending.ts';

interface ReadAgainProps {
  readonly request: Pick<RequestQuery['request'], 'understood' | 'hold'>;
}

/** Sends a request anew as it was understood. Its document is asked for: the gateway does not keep it beyond the end. */
export function ReadAgain({ request }: ReadAgainProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Read again…
      </Button>
      {isAsking && <Question request={request} onClose={() => setAsking(false)} />}
    </>
  );
}

function Question({ request, onClose }: ReadAgainProps & { readonly onClose: () => void }) {
  // Whatever its text was wanted as, the answer here is JSON.
  const sent = understoodBody({ understood: request.understood, outputFormat: 'json' });
  const url = (sent['input'] as OcrBody['input']).url ?? null;
  const [file, setFile] = useState<Extract<Source, { kind: 'file' }> | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [running, setRunning] = useState(false);
  const [, navigate] = useLocation();
  const sendOne = useSending();
  const take = async (chosen: File): Promise<void> => {
    setFailure(null);
    try {
      const read = await readFile(chosen);
      if (read.kind === 'file') setFile(read);
    } catch (error) {
      setFailure((error as Error).message); // it throws sentences
    }
  };
  const send = async (): Promise<void> => {
    setRunning(true);
    setFailure(null);
    try {
      const input = file ? inputOf(file) : sent['input'];
      const body = { ...sent, input } as OcrBody; // the fields of a body that was accepted before
      const { request_id } = await sendOne(body);
      navigate(`/requests/${request_id}`);
    } catch (error) {
      setFailure(refusalText(error));
      setRunning(false);
    }
  };
  const buttons = (
    <>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button loading={running} disabled={url === null && file === null} onClick={() => void send()}>
        Read again
      </Button>
    </>
  );
  return (
    <Dialog title="Read it again?" onClose={onClose} failure={failure} buttons={buttons}>
      <p>
        A new request with the same engine and settings. It is charged by itself: {money(request.hold)} are reserved for
        it at the prices of the first one, and its webhook is called as well.
      </p>
      {url === null ? (
        <>
          <p className="kit-soft">The document was not kept: choose it again.</p>
          <DropZone source={file} onFile={(chosen) => void take(chosen)} />
        </>
      ) : (
        <p className="kit-soft">The document is fetched again from {url}.</p>
      )}
    </Dialog>
  );
}
