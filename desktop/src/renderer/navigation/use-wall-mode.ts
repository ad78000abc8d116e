import { useCallback } from 'react';
import { useSearchParam } from './use-search-param.ts';

/** Whether the page is shown alone and larger, for a screen on a wall; in the address, so that the screen can be left alone. */
export function useWallMode(): [isOn: boolean, toggle: () => void] {
  const [wall, setWall] = useSearchParam('wall');
  const isOn = wall === '1';
  return [isOn, useCallback(() => setWall(isOn ? null : '1'), [isOn, setWall])];
}
