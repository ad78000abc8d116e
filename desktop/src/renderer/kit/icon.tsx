import { LineDrawing } from '@ocr-router/ui/kit/line-drawing.tsx';

/** Outlines on a 20 by 20 grid, drawn for this console. */
const PATHS = {
  overview: 'M3 11a7 7 0 1 1 14 0M10 11l3.5-4M3 15h14',
  engines: 'M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z',
  requests: 'M3 5h2M8 5h9M3 10h2M8 10h9M3 15h2M8 15h9',
  queue: 'M3 16V9M8 16V4M13 16v-5M17 16V7',
  webhooks: 'M3 10h9M9 6l4 4-4 4M13 4h4v12h-4',
  accounts: 'M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4 17c0-3.3 2.7-5 6-5s6 1.7 6 5',
  alerts: 'M5 14V9a5 5 0 0 1 10 0v5l1.5 1.5h-13zM8.5 17.5h3',
  settings: 'M3 6h7M14 6h3M3 14h3M10 14h7M12 4v4M8 12v4',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12ZM13.5 13.5 17 17',
  table: 'M3 4h14v12H3zM3 8h14M3 12h14M8 8v8',
  pin: 'M7 3h6l-1 6 3 3H5l3-3zM10 12v5',
  back: 'M12 4l-6 6 6 6',
  external: 'M8 4H4v12h12v-4M11 4h5v5M16 4l-7 7',
  copy: 'M7 7h9v10H7zM13 7V3H4v10h3',
  check: 'M4 10.5l4 4 8-9',
  close: 'M5 5l10 10M15 5 5 15',
  light:
    'M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10 2v2M10 16v2M2 10h2M16 10h2M4.3 4.3l1.5 1.5M14.2 14.2l1.5 1.5M15.7 4.3l-1.5 1.5M5.8 14.2l-1.5 1.5',
  dark: 'M16 12.5A6.5 6.5 0 0 1 7.5 4 6.5 6.5 0 1 0 16 12.5Z',
  system: 'M3 4h14v9H3zM7 17h6M10 13v4',
} as const;

export type IconName = keyof typeof PATHS;

/** A drawn sign beside a word, or in a button that has a label of its own. */
export function Icon({ name, sizePx = 18 }: { readonly name: IconName; readonly sizePx?: number }) {
  return <LineDrawing path={PATHS[name]} gridPx={20} strokeWidth={1.5} sizePx={sizePx} />;
}
