import { Button } from '@mantine/core';

/** The browser saves it as it comes: it may be larger than its memory. */
export function ExportLink() {
  return (
    <Button component="a" href="/api/export" download variant="default">
      Download an export
    </Button>
  );
}
