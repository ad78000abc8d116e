import { storedChoice } from './stored-choice.ts';

/** Per cent of the usual size. */
export const ZOOMS = [80, 90, 100, 110, 125, 150] as const;

/** The size of everything; the frame divides the window's height by `--zoom`, which its own zoom multiplies again. */
export const zoom = storedChoice('console-zoom', ZOOMS, {
  usual: 100,
  apply: (percent) => {
    const { style } = document.documentElement;
    style.setProperty('--zoom', String(percent / 100));
    style.setProperty('zoom', String(percent / 100));
  },
});
