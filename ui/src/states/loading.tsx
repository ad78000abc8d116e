import { Skeleton } from '@mantine/core';

/** The place of what is being fetched, in about its height, so that nothing jumps. */
export function Loading({ rows = 4, label = 'Loading' }: { readonly rows?: number; readonly label?: string }) {
  return (
    <output aria-busy="true" aria-label={label} style={{ display: 'block', padding: 16 }}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are alike and never move
        <Skeleton key={row} height={16} mb={12} width={`${95 - ((row * 17) % 40)}%`} />
      ))}
    </output>
  );
}
