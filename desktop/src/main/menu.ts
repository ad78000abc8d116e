import { Menu, type MenuItemConstructorOptions } from 'electron';

/** What the system's own shortcuts need: copy and paste on the Mac, zoom, full screen. No developer tools. */
export function setMenu(platform: NodeJS.Platform): void {
  const view: MenuItemConstructorOptions = {
    label: 'View',
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  };
  const own: MenuItemConstructorOptions = platform === 'darwin' ? { role: 'appMenu' } : { role: 'fileMenu' };
  Menu.setApplicationMenu(Menu.buildFromTemplate([own, { role: 'editMenu' }, view, { role: 'windowMenu' }]));
}
