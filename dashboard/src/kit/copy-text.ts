/** Puts text on the clipboard; says whether that worked. Plain http off this machine has no clipboard of its own. */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => copyByHand(text),
    );
  }
  return copyByHand(text);
}

function copyByHand(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}
