import { useEffect, useRef, useState } from 'react';

interface ResultNewsProps {
  /** What is asked for, as a text: another text is another question. */
  readonly asked: string;
  /** What was found; null while that is not known. */
  readonly found: string | null;
}

/** Says to those who do not see it what another filter has found; nothing of what the page came with. */
export function ResultNews({ asked, found }: ResultNewsProps) {
  const answered = useRef(asked);
  const [news, setNews] = useState({ words: '', nth: 0 });
  useEffect(() => {
    if (found === null || answered.current === asked) return;
    answered.current = asked;
    setNews(({ nth }) => ({ words: found, nth: nth + 1 }));
  }, [asked, found]);
  // The same words again are told again for the blank.
  return <output className="kit-visually-hidden">{news.nth % 2 === 0 ? news.words : `${news.words}\u00a0`}</output>;
}
