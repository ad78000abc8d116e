const TILE_PX = 6;

/** A fill of slanted lines: tells the failed part of a bar apart without its colour. */
export function hatch(colour: string): CanvasPattern | string {
  const tile = document.createElement('canvas');
  tile.width = TILE_PX;
  tile.height = TILE_PX;
  const pen = tile.getContext('2d');
  if (pen === null) return colour;
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (const shift of [-TILE_PX, 0, TILE_PX]) {
    pen.moveTo(shift, TILE_PX);
    pen.lineTo(shift + TILE_PX, 0);
  }
  pen.stroke();
  return pen.createPattern(tile, 'repeat') ?? colour;
}
