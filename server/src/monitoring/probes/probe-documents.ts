/** The word that both probe documents show. */
export const PROBE_WORD = 'READY';

/** A picture of the word, 240 × 72 pixels, black on white. */
export const PROBE_PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAPAAAABIAgAAAACnFz/3AAAB20lEQVRYw+3WvXGDMBQA4GfnfBQq6FwkBRuEEcIQ8RwZAY3gjeQRGIERXFCQOyzlPb2HdNix4C5NClGYO+BD0vsRBveHAzLOOOOM/xHuAeCIZ41n+HBuBDD+F44GL9b0hEph+Ip4AGgZw5vryGmoklhF3M/j42F6KJxraPgE3i9wPeN6xDvWryOBdxF3QLNkrG54Z6K7T/GhAYhY+0Uw3tOoNPpzXH/TxLRMrhGsLL7GYLiXwX7ACCLGAQuPafS2g6pbBDuJLexpmoRxzjSsXgT7EeuIb1BQgEbOHoV7GewknkA1IBgnPHEq0tOWaBtSmk90q7RcBAlsQ54NVmd1wfr0+AolBb9I4dfPUGEGQd1hugUrulymuyrUtqGJ0EIC5mrd1FUGg9ReMbEBc5Ol8M4EjNEafIEIHu8y9cvItZtTpamYVQyYvQv2szV73FAbFSFVq/j9TNlgbLmbQpGsYt/ygm/A7T2X5zq2sSUnjyE0xjp2EfMmMAcNs7SONdYU44FxS5vBmd65ji/+BZSyKxxOpwY+ZBtyGzDlxOOq512+lg1wC5YOANpzPK5k692CR3gRrKmSByhl09+CJ3xixv5DpeRzswVjRgU3jAv50K3h/Lci44wzznjj8QPXFntxxb1ypQAAAABJRU5ErkJggg==',
  'base64',
);

/** A PDF of one page whose text layer is the word. */
export const PROBE_PDF = Buffer.from(
  [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 80]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj',
    '4 0 obj<</Length 40>>stream',
    'BT /F 24 Tf 40 30 Td (READY) Tj ET      ',
    'endstream endobj',
    '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj',
    'trailer<</Root 1 0 R>>',
    '%%EOF',
  ].join('\n'),
);
