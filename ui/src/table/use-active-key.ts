import { useState } from 'react';

/** The marked row: the caller's, or the table's own when the caller keeps none. */
export function useActiveKey(controlled: string | null | undefined, onChange?: (key: string) => void) {
  const [own, setOwn] = useState<string | null>(null);
  const activeKey = controlled === undefined ? own : controlled;
  return [
    activeKey,
    (key: string): void => {
      setOwn(key);
      onChange?.(key);
    },
  ] as const;
}
