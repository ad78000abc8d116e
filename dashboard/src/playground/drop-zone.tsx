import { bytes } from '@ocr-router/ui/format/bytes.ts';
import { type DragEvent, useId, useMemo, useState } from 'react';
import { usePagePicture } from '../positions/use-page-picture.ts';
import type { Source } from './draft.ts';
import classes from './playground.module.css';
import { drawPageOf, pictureOf } from './source-picture.ts';

const ACCEPTED = '.png,.jpg,.jpeg,.webp,.gif,.tif,.tiff,.bmp,.pdf,image/*,application/pdf';

interface DropZoneProps {
  readonly source: Extract<Source, { kind: 'file' }> | null;
  readonly onFile: (file: File) => void;
}

/** A place for one file: dropped, or chosen with a click or a key. */
export function DropZone({ source, onFile }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const id = useId();
  const own = pictureOf(source);
  const draw = useMemo(() => (own === null ? drawPageOf(source) : null), [own, source]);
  const drawn = usePagePicture(draw, 1);
  const picture = drawn.kind === 'shown' ? drawn.url : own;
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  };
  return (
    <>
      <input
        id={id}
        type="file"
        accept={ACCEPTED}
        className={`kit-visually-hidden ${classes['fileInput']}`}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) onFile(file);
          event.currentTarget.value = ''; // the same file again is a choice, too
        }}
      />
      <label
        htmlFor={id}
        className={classes['drop']}
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {picture && <img src={picture} alt="" className={classes['thumbnail']} />}
        {source ? (
          <span>
            <strong>{source.name}</strong>
            <br />
            <span className="kit-soft">{bytes(source.bytes)} · click or drop to change</span>
          </span>
        ) : (
          <span>
            <strong>Drop a picture or a PDF here</strong>
            <br />
            <span className="kit-soft">or click to choose one, up to 7.8 MB</span>
          </span>
        )}
      </label>
    </>
  );
}
