import { bridge } from '../bridge/bridge.ts';
import { storedChoice } from './stored-choice.ts';

/** Per cent of the usual size. */
export const ZOOMS = [80, 90, 100, 110, 125, 150] as const;

/** The size of everything, where the shell sets it; CSS cannot without leading menus and plots astray. */
export const zoom = storedChoice('console-zoom', ZOOMS, {
  usual: 100,
  apply: (percent) => {
    bridge.invoke('app.zoom', { percent }).catch(() => {}); // the usual size is as good
  },
});
