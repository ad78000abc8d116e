/** Escapes a text for HTML, between tags or in an attribute. Host names and messages may have any characters. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
