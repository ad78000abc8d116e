/** The word READY, black on white: small enough to stand in a command. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAPAAAABIAgAAAACnFz/3AAAB20lEQVRYw+3WvXGDMBQA4GfnfBQq6FwkBRuEEcIQ8RwZAY3gjeQRGIERXFCQOyzlPb2HdNix4C5NClGYO+BD0vsRBveHAzLOOOOM/xHuAeCIZ41n+HBuBDD+F44GL9b0hEph+Ip4AGgZw5vryGmoklhF3M/j42F6KJxraPgE3i9wPeN6xDvWryOBdxF3QLNkrG54Z6K7T/GhAYhY+0Uw3tOoNPpzXH/TxLRMrhGsLL7GYLiXwX7ACCLGAQuPafS2g6pbBDuJLexpmoRxzjSsXgT7EeuIb1BQgEbOHoV7GewknkA1IBgnPHEq0tOWaBtSmk90q7RcBAlsQ54NVmd1wfr0+AolBb9I4dfPUGEGQd1hugUrulymuyrUtqGJ0EIC5mrd1FUGg9ReMbEBc5Ol8M4EjNEafIEIHu8y9cvItZtTpamYVQyYvQv2szV73FAbFSFVq/j9TNlgbLmbQpGsYt/ygm/A7T2X5zq2sSUnjyE0xjp2EfMmMAcNs7SONdYU44FxS5vBmd65ji/+BZSyKxxOpwY+ZBtyGzDlxOOq512+lg1wC5YOANpzPK5k692CR3gRrKmSByhl09+CJ3xixv5DpeRzswVjRgU3jAv50K3h/Lci44wzznjj8QPXFntxxb1ypQAAAABJRU5ErkJggg==';

/** A call with curl that works as it stands. The same one again replays its answer and costs nothing. */
export function firstCall(apiAddress: string, apiKey: string): string {
  const body = `{"engine":"tesseract","input":{"type":"base64","data_base64":"${PICTURE}"}}`;
  return [
    `curl -s ${apiAddress}/v1/ocr \\`,
    `  -H 'Authorization: Bearer ${apiKey}' \\`,
    `  -H 'Idempotency-Key: first-call' -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
}
