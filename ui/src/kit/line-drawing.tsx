interface LineDrawingProps {
  /** An outline on a square grid of `gridPx`. */
  readonly path: string;
  readonly gridPx: number;
  readonly strokeWidth: number;
  readonly sizePx: number;
}

/** A small line drawing beside a word that says the same, or in a button that has a label of its own. */
export function LineDrawing({ path, gridPx, strokeWidth, sizePx }: LineDrawingProps) {
  return (
    <svg
      width={sizePx}
      height={sizePx}
      viewBox={`0 0 ${gridPx} ${gridPx}`}
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      aria-hidden
    >
      <path d={path} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
