export function lines(elements: readonly string[]): string {
  return elements.map(line).join('');
}

export function line(element: string): string {
  return `${element}\n`;
}
