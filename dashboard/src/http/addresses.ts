/** Where the API is, as the server wrote it into the page. */
export function apiAddress(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="api-address"]')?.content ?? location.origin;
}

/** GraphQL subscriptions of this origin. */
export function socketAddress(): string {
  return `${location.origin.replace(/^http/, 'ws')}/graphql`;
}
