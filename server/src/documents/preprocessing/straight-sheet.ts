export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface StraightSheet extends Size {
  /** Maps pixels of the sheet to pixels of the picture that it was made of. */
  back(x: number, y: number): readonly [x: number, y: number];
}

/**
 * The sheet on which lines are straight that lay askew by `degrees` clockwise: larger than the picture, around the same middle.
 */
export function straightSheet(picture: Size, degrees: number): StraightSheet {
  const angle = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const width = picture.width * Math.abs(cos) + picture.height * Math.abs(sin);
  const height = picture.height * Math.abs(cos) + picture.width * Math.abs(sin);
  const back = (x: number, y: number) => {
    const [dx, dy] = [x - width / 2, y - height / 2];
    return [picture.width / 2 + dx * cos - dy * sin, picture.height / 2 + dx * sin + dy * cos] as const;
  };
  return { width, height, back };
}
