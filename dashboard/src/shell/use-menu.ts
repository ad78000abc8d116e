import { useCallback, useEffect, useRef, useState } from 'react';

/** Where the navigation stands beside the page; as in `shell.module.css`. */
const WIDE = '(min-width: 48em)';

/** The navigation of a narrow screen: while it is open it has the focus, and Escape closes it. */
export function useMenu() {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const closer = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  useEffect(() => {
    if (!isOpen) return;
    const { current: backTo } = opener;
    closer.current?.focus();
    const onKey = ({ key }: KeyboardEvent) => void (key === 'Escape' && close());
    const wide = matchMedia(WIDE);
    addEventListener('keydown', onKey);
    wide.addEventListener('change', close);
    return () => {
      removeEventListener('keydown', onKey);
      wide.removeEventListener('change', close);
      // A page that has come meanwhile has taken the focus.
      if (document.activeElement === document.body || document.activeElement?.closest('aside')) backTo?.focus();
    };
  }, [isOpen, close]);
  return { isOpen, open: () => setOpen(true), close, opener, closer };
}
