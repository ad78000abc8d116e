/** Whether a blank stands behind each word of a line: Chinese and Japanese have words, and no blanks between them. */
export function blanksBehind(line: string, words: readonly { readonly text: string }[]): boolean[] {
  let at = 0;
  return words.map(({ text }, index) => {
    const next = words[index + 1];
    if (!next) return false;
    const found = line.indexOf(text, at);
    if (found < 0) return true;
    at = found + text.length;
    const nextAt = line.indexOf(next.text, at);
    return nextAt < 0 || /\s/.test(line.slice(at, nextAt));
  });
}
