import { useEffect } from 'react';
import { bridge } from '../bridge/bridge.ts';
import { navigate } from '../navigation/hash-location.ts';

/** A click on a native notification opens what it is about. */
export function FollowNotifications() {
  useEffect(() => bridge.on('navigate', ({ path }) => navigate(path)), []);
  return null;
}
