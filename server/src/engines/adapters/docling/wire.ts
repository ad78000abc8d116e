import { KEY, NO_MODEL, TEXT, type Wire, type WireAnswer } from '../wires/wire-type.ts';
import { docling } from './adapter.ts';

export const wire: Wire = {
  adapter: docling,
  engine: {},
  basePath: '',
  usage: null,
  attack: {
    ...{ sources: [{ kind: 'http', url: 'http://inside/' }], http_sources: [], target: { kind: 'put' }, callbacks: [] },
    options: { page_range: [1, 9], picture_description_api: { url: 'http://inside/' }, to_formats: ['json'] },
  },
  positions: conversion('success', TEXT, undefined, placed('texts')),
  tables: conversion('success', TEXT, undefined, placed('tables')),
  answers: {
    ...NO_MODEL,
    ok: conversion('success', TEXT),
    empty: conversion('success', '<!-- image -->'),
    refused: null,
    truncated: conversion('partial_success', TEXT.slice(0, 5), 'Page 1: document timeout'),
    // A part without text is a conversion that failed.
    rateLimited: { status: 429, body: { detail: 'Too many requests' } },
    serverError: { status: 504, body: { detail: 'Conversion is taking too long. The maximum wait time is 120.' } },
    badCredentials: { status: 401, body: { detail: `Invalid API Key ${KEY}` } },
    unreadable: conversion('failure', '', 'Input document page.png is not valid.'),
  },
};

/** Docling's document of a page of 200 by 100, counted from its lower left corner, with the text in a paragraph or a table. */
function placed(list: 'texts' | 'tables'): object {
  const bbox = { l: 20, t: 90, r: 160, b: 80, coord_origin: 'BOTTOMLEFT' };
  const prov = [{ page_no: 1, bbox, charspan: [0, TEXT.length] }];
  const item = { self_ref: `#/${list}/0`, parent: { $ref: '#/body' }, children: [], content_layer: 'body', prov };
  const cell = (column: number, text: string, l: number, r: number) => ({
    bbox: { l, t: 10, r, b: 20, coord_origin: 'TOPLEFT' },
    ...{ row_span: 1, col_span: 1, text, column_header: true, row_header: false, row_section: false },
    ...{ start_row_offset_idx: 0, end_row_offset_idx: 1, start_col_offset_idx: column, end_col_offset_idx: column + 1 },
  });
  const table_cells = [cell(0, TEXT.slice(0, 5), 20, 70), cell(1, TEXT.slice(6), 80, 160)];
  const own = {
    texts: { label: 'text', orig: TEXT, text: TEXT },
    tables: { label: 'table', data: { num_rows: 1, num_cols: 2, grid: [table_cells], table_cells } },
  };
  return {
    schema_name: 'DoclingDocument',
    body: { self_ref: '#/body', children: [{ $ref: `#/${list}/0` }], content_layer: 'body', name: '_root_' },
    ...{ groups: [], pictures: [], texts: [], tables: [], [list]: [{ ...item, ...own[list] }] },
    pages: { 1: { size: { width: 200, height: 100 }, image: null, page_no: 1 } },
  };
}

function conversion(
  status: string,
  md_content: string,
  error_message?: string,
  json_content: object | null = null,
): WireAnswer {
  const document = { filename: 'page.png', md_content, json_content, html_content: null, text_content: null };
  const errors = error_message ? [{ component_type: 'document_backend', module_name: 'docling', error_message }] : [];
  return { status: 200, body: { document, status, errors, processing_time: 1.5, timings: {} } };
}
