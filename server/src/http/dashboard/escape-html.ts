/** A text for HTML, between tags or in an attribute. A host name may hold more than people think, and a message, too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
