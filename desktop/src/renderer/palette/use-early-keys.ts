import { useEffect } from 'react';

/**
 * Takes what is typed or pasted before the field of the open palette has the focus: fast fingers, and a page that is busy.
 * It would be lost, or work as a key of the page below. `isOpen` is asked with each key, since an effect of the opening would
 * come too late; keep both functions outside of the component, or in a memo.
 */
export function useEarlyKeys(isOpen: () => boolean, add: (text: string) => void): void {
  useEffect(() => {
    const take = (event: Event, text: string): void => {
      if (text === '' || !isOpen() || document.activeElement?.matches('[role="dialog"] input')) return;
      event.preventDefault();
      add(text);
    };
    const onKey = (event: KeyboardEvent): void => {
      const isText = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      take(event, isText ? event.key : '');
    };
    const onPaste = (event: ClipboardEvent): void => take(event, event.clipboardData?.getData('text') ?? '');
    addEventListener('keydown', onKey, { capture: true });
    addEventListener('paste', onPaste, { capture: true });
    return () => {
      removeEventListener('keydown', onKey, { capture: true });
      removeEventListener('paste', onPaste, { capture: true });
    };
  }, [isOpen, add]);
}
