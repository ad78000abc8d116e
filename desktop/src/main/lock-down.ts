import { app, type Session, type WebContents } from 'electron';
import { isOwnAddress, isOwnFile } from './page-address.ts';

/**
 * Refuses what Electron grants by default: every permission and device, downloads of what the page has not made itself, and
 * every request to elsewhere.
 */
export function lockSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setBluetoothPairingHandler((_details, answer) => answer({ confirmed: false }));
  session.setDisplayMediaRequestHandler((_request, answer) => answer({}));
  session.on('will-download', (event, item) => {
    if (!isOwnFile(item.getURL())) event.preventDefault();
  });
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    answer({ cancel: !isOwnAddress(url) && !isOwnFile(url) && !url.startsWith('devtools:') });
  });
}

/** No page but ours in any window, frame or webview; links go to the system's browser where they are allowed. */
export function lockContents(openExternal: (url: string) => void): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(({ url }) => {
      openExternal(url);
      return { action: 'deny' };
    });
    stayHere(contents);
  });
}

function stayHere(contents: WebContents): void {
  const refuse = (event: { preventDefault(): void }) => event.preventDefault();
  contents.on('will-navigate', refuse);
  contents.on('will-frame-navigate', refuse);
  contents.on('will-redirect', refuse);
  contents.on('will-attach-webview', refuse);
}
