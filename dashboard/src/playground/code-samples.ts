import type { OcrBody } from './request-body.ts';

export const LANGUAGES = ['curl', 'JavaScript', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

interface Sample {
  readonly api: string;
  readonly body: OcrBody;
  /** Of a document that is a file: its name on the reader's machine. */
  readonly fileName: string | null;
}

/** The same request as a program makes it, with a key from the environment. */
export function codeSample(language: Language, sample: Sample): string {
  if (language === 'curl') return curl(sample);
  if (language === 'JavaScript') return javascript(sample);
  return python(sample);
}

const HEADERS = `  -H "Authorization: Bearer $OCR_ROUTER_API_KEY" \\
  -H "Idempotency-Key: $(date +%s%N)" -H 'Content-Type: application/json' \\`;

function curl({ api, body, fileName }: Sample): string {
  if (fileName === null) return `curl -s ${api}/v1/ocr \\\n${HEADERS}\n  -d ${quoted(JSON.stringify(body))}`;
  const { input, ...rest } = body;
  const mime = input.mime_type === undefined ? '' : `"mime_type":${JSON.stringify(input.mime_type)},`;
  const head = `${JSON.stringify(rest).slice(0, -1)},"input":{"type":"base64",${mime}"data_base64":"`;
  return [
    `{ printf '%s' ${quoted(head)}; base64 < ${quoted(fileName)} | tr -d '\\n'; printf '"}}'; } |`,
    `curl -s ${api}/v1/ocr \\\n${HEADERS}`,
    '  -d @-',
  ].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function javascript({ api, body, fileName }: Sample): string {
  const isFile = fileName !== null;
  const reading = isFile
    ? `import { readFile } from 'node:fs/promises';\n\nconst data = (await readFile(${JSON.stringify(fileName)})).toString('base64');\n`
    : '';
  return `${reading}const response = await fetch('${api}/v1/ocr', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.OCR_ROUTER_API_KEY}\`,
    'idempotency-key': crypto.randomUUID(),
    'content-type': 'application/json',
  },
  body: JSON.stringify(${indented(literal(body, isFile, 'data'), '  ')}),
  signal: AbortSignal.timeout(240_000),
});
const result = await response.json();
console.log(result.status, result.extracted_text);`;
}

function python({ api, body, fileName }: Sample): string {
  const isFile = fileName !== null;
  const reading = isFile
    ? `with open(${JSON.stringify(fileName)}, "rb") as file:\n    data = base64.b64encode(file.read()).decode()\n\n`
    : '';
  const json = literal(body, isFile, 'data')
    .replace(/: true/g, ': True')
    .replace(/: false/g, ': False');
  return `${isFile ? 'import base64\n' : ''}import os
import uuid

import requests

${reading}response = requests.post(
    "${api}/v1/ocr",
    headers={
        "Authorization": f"Bearer {os.environ['OCR_ROUTER_API_KEY']}",
        "Idempotency-Key": str(uuid.uuid4()),
    },
    json=${indented(json, '    ')},
    timeout=240,
)
result = response.json()
print(result["status"], result.get("extracted_text"))`;
}

/** The body as a literal that JavaScript and Python share; a file's data is the name of a variable. */
function literal(body: OcrBody, isFile: boolean, variable: string): string {
  const shown = isFile ? { ...body, input: { ...body.input, data_base64: '' } } : body;
  const text = JSON.stringify(shown, null, 2);
  return isFile ? text.replace(/"data_base64": ""/, `"data_base64": ${variable}`) : text;
}

function indented(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`);
}
