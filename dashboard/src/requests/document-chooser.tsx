import { Button, FileButton } from '@mantine/core';

interface DocumentChooserProps {
  readonly isChosen: boolean;
  readonly onDocument: (document: Blob) => void;
}

/** Asks for the document of a request, so that its pages can be drawn: it is sent for that, and kept nowhere. */
export function DocumentChooser({ isChosen, onDocument }: DocumentChooserProps) {
  return (
    <FileButton
      inputProps={{ 'aria-label': 'The document of the request, to be drawn' }}
      onChange={(file) => file && onDocument(file)}
    >
      {(props) => (
        <Button {...props} variant="default" size="compact-xs">
          {isChosen ? 'Choose another document' : 'Choose the document to see its pages'}
        </Button>
      )}
    </FileButton>
  );
}
