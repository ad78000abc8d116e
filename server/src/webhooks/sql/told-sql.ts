/**
 * An SQL condition: whether the request has a webhook in this state. Both arguments are SQL expressions;
 * `webhook_delivery_request_index` serves it.
 */
export function isTold(requestId: string, status: string): string {
  return `exists (select from webhook_delivery told where told.request_id = ${requestId} and told.status = ${status})`;
}
