interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * The page of the API reference. It begins with all operations, each with a link to where Swagger UI draws it: they can be read
 * before a megabyte of script has come and run, and without it.
 */
export function referencePage(contract: Record<string, unknown>): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Reference of the ocr-router API: every operation, its fields, its answers and its errors.">
<title>ocr-router: API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/reference.css">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<main>
<nav aria-label="Operations">
<h1>ocr-router: API reference</h1>
<ul>
${contents(contract).join('\n')}
</ul>
</nav>
<div id="reference"></div>
</main>
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script src="/docs/start.js" defer></script>
</body>
</html>
`;
}

function contents({ paths }: Record<string, unknown>): string[] {
  const byPath = Object.entries((paths ?? {}) as Record<string, Partial<Record<string, Operation>>>); // as OpenAPI has them
  return byPath.flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method];
      return operation === undefined ? [] : [entry(method, path, operation)];
    }),
  );
}

function entry(method: string, path: string, { operationId, summary, tags }: Operation): string {
  const place = `#operations-${tags[0]}-${operationId}`; // as Swagger UI calls it
  return `<li><a href="${escaped(place)}"><b>${method.toUpperCase()}</b> ${escaped(path)}</a> ${escaped(summary)}</li>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/**
 * The script of the page: draws the operations, with the schemas folded. Swagger UI puts a link into the button of each
 * operation, gives its choices no names and leaves out a level of headings; people who listen to the page or use keys alone need
 * that mended.
 */
export const REFERENCE_START = `const place = document.getElementById('reference');
const withoutLinks = () => ({
  wrapComponents: {
    DeepLink: (Original, { React }) => ({ text }) => React.createElement('span', null, text),
  },
});
function name() {
  for (const choice of place.querySelectorAll('select:not([aria-label])')) {
    choice.setAttribute('aria-label', choice.id === 'servers' ? 'Server' : 'Example');
  }
  for (const text of place.querySelectorAll('.microlight:not([tabindex]), .body-param__example:not([tabindex])')) text.tabIndex = 0;
  for (const tag of place.querySelectorAll('h3.opblock-tag:not([aria-level])')) tag.setAttribute('aria-level', '2');
}
new MutationObserver(name).observe(place, { childList: true, subtree: true });
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  plugins: [withoutLinks],
});
`;

/** Styles with enough contrast: Swagger UI's own colours are too light. */
export const REFERENCE_STYLE = `body { margin: 0; }
nav { max-width: 1420px; margin: 0 auto; padding: 24px 20px 0; color: #3b4151; font: 14px/1.5 sans-serif; }
nav h1 { margin: 0 0 12px; font-size: 24px; }
nav ul { margin: 0; padding: 0; columns: 420px; list-style: none; }
nav li { padding: 3px 0; break-inside: avoid; }
nav a { display: inline-block; min-height: 24px; color: #1d4ed8; font-family: monospace; overflow-wrap: anywhere; }
html .swagger-ui .info .title small { background: #4b5563; }
html .swagger-ui .info .title small.version-stamp { background: #3f6212; }
html .swagger-ui .info a, html .swagger-ui .info .url, html .swagger-ui a.nostyle { color: #1d4ed8; }
html .swagger-ui .btn.authorize, html .swagger-ui .btn.authorize span { color: #166534; border-color: #166534; }
html .swagger-ui .btn.authorize svg { fill: #166534; }
html .swagger-ui .opblock.opblock-post .opblock-summary-method { background: #166534; }
html .swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1e4e8c; }
html .swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b91c1c; }
html .swagger-ui .opblock.opblock-put .opblock-summary-method { background: #92400e; }
html .swagger-ui .parameter__in { color: #57534e; }
html .swagger-ui .microlight span[style*='rgb(211, 99, 99)'] { color: #f3a3a3 !important; }
html .swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #115e59; }
`;
