import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolvedContract } from '../contract/resolved-contract.ts';
import { blocksOf, headingsOf, type Page, proseOf, ROOT, readPage, readPages } from './pages.ts';

const pages = readPages();
const contract = resolvedContract('openapi');

/** A link's name of a heading, as GitHub makes it; the site is set to the same. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}

function deadLinksOf(page: Page): string[] {
  const links = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => !/^https?:/.test(link)).filter((link) => !leads(page, link));
}

function leads(from: Page, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const path = file === '' ? from.path : normalize(join(dirname(from.path), file));
  if (!existsSync(join(ROOT, path))) return false;
  return anchor === undefined || headingsOf(readPage(path)).some((heading) => slugOf(heading) === anchor);
}

describe('links', () => {
  it('are found', () => {
    expect(pages.flatMap((page) => [...proseOf(page).matchAll(/\]\(/g)]).length).toBeGreaterThan(50);
  });

  it.each(pages)('of $path lead somewhere', (page) => expect(deadLinksOf(page)).toEqual([]));

  it('lead from the first page to every other one', () => {
    const first = readPage('docs/index.md');
    const others = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/') && path !== first.path);
    expect(others.filter((path) => !first.text.includes(`](${path.slice('docs/'.length)}`))).toEqual([]);
  });
});

describe('errors.md', () => {
  const codes = contract.components.schemas['ErrorCode']?.enum ?? [];
  const page = readPage('docs/errors.md');

  it('has a heading for each code of the contract, and no other code', () => {
    expect(codes.length).toBeGreaterThan(10);
    const headings = headingsOf(page).filter((heading) => /^[a-z_]+$/.test(heading));
    expect(headings.toSorted()).toEqual([...codes].map(String).toSorted());
  });

  it.each(codes.map(String))('says of %s when it comes, what it costs and what to do', (code) => {
    const [, section = ''] = page.text.split(`\n## ${code}\n`);
    const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| ([^|\s][^|]*?) \|/gm)].map(([, row]) => row);
    expect(rows).toEqual(['Status', 'When', 'Costs', 'What to do']);
  });
});

it('requests.md has a heading for each operation of the contract, and no other', () => {
  const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const headings = headingsOf(readPage('docs/requests.md')).filter((heading) => /^[A-Z]+ \//.test(heading));
  expect(headings.toSorted()).toEqual(operations.toSorted());
});

/** Variables of programs around the service, and of examples. */
const OTHER_VARIABLES = [
  'NODE_USE_ENV_PROXY',
  ...['OCR_ROUTER_API_KEY', 'OCR_ROUTER_CONSOLE_DIR', 'OCR_ROUTER_TOKEN', 'OCR_ROUTER_URL'],
  ...['OCR_WEBHOOK_SECRET', 'WEBHOOK_URL', 'NAME_FILE', 'MALLOC_ARENA_MAX'],
];

/** What GraphQL itself finds wrong has these. */
const GRAPHQL_CODES = [
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
];

it('concepts.md names every code that is GraphQL’s own', () => {
  const { text } = readPage('docs/concepts.md');
  expect(GRAPHQL_CODES.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
});

it('every setting that is named is one', () => {
  const rows = readPage('README.md').text.matchAll(/^\| `([A-Z_]+)` \|/gm);
  const settings = new Set([...rows].map(([, name = '']) => name));
  expect(settings.size).toBeGreaterThan(30);
  const keys = [...readPage('docs/engines.md').text.matchAll(/"api_key_env": "(\w+)"/g)].map(([, name = '']) => name);
  const known = new Set([...settings, ...keys, ...OTHER_VARIABLES, ...GRAPHQL_CODES]);
  const unknown = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)]
      .map(([name]) => name)
      .filter((name) => !known.has(name) && !settings.has(name.replace(/_FILE$/, '')))
      .map((name) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

it('every block says what it is', () => {
  const blocks = pages.flatMap(blocksOf);
  expect(blocks.length).toBeGreaterThan(100);
  const kinds = new Set(blocks.map(({ language, role }) => `${language} ${role}`.trim()));
  const known = [
    'bash',
    'bash run',
    'bash operator',
    'bash package',
    'js package',
    'ts run',
    'ts receiver',
    'python run',
    'python receiver',
    'sql run',
    'yaml',
    'text answer',
  ];
  expect([...kinds].toSorted()).toEqual([...known, 'json', 'json answer', 'json engines'].toSorted());
});

it('holds nothing that the compiler of the site would take for a tag or an expression', () => {
  const found = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/<[A-Za-z/][^\n]{0,20}|\{\{[^\n]{0,20}/g)].map(([text]) => `${page.path}: ${text}`),
  );
  expect(found).toEqual([]);
});
