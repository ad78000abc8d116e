/** SHA-256 of a document, in hexadecimal; reckoned outside of the event loop. */
export async function documentHash(bytes: Buffer): Promise<string> {
  // The web's digest knows no shared memory; what was fetched or stored is none.
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex');
}
