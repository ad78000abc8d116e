/** Whether a webhook in this state tells of the end of the request; both are SQL expressions. By `webhook_delivery_request_index`. */
export function isTold(requestId: string, status: string): string {
  return `exists (select from webhook_delivery told where told.request_id = ${requestId} and told.status = ${status})`;
}
