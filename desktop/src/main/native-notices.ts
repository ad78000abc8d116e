import { Notification } from 'electron';
import type { AlertNotice } from '../shared/alerts.ts';

/** Shows what fired; a click leads to what it is about. */
export function nativeNotices(open: (path: string) => void): (notice: AlertNotice) => void {
  // Without a reference it is collected as garbage, and its click with it.
  const shown = new Set<Notification>();
  return ({ title, body, path }) => {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title, body });
    shown.add(notification);
    notification.on('click', () => open(path));
    notification.on('close', () => shown.delete(notification));
    notification.show();
  };
}
