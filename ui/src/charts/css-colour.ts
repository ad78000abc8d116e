/** What a custom property such as `--chart-p95` is now, in a form that a canvas takes (`light-dark()` is none). */
export function cssColour(element: HTMLElement, property: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  element.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

/** The same colour, let through. */
export function fade(colour: string, alpha: number): string {
  const [red, green, blue] = colour.match(/[\d.]+/g) ?? ['128', '128', '128'];
  return `rgba(${red}, ${green}, ${blue}, ${alpha})`;
}
