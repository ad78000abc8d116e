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

function conversion(status: string, md_content: string, error_message?: string): WireAnswer {
  const document = { filename: 'page.png', md_content, json_content: null, html_content: null, text_content: null };
  const errors = error_message ? [{ component_type: 'document_backend', module_name: 'docling', error_message }] : [];
  return { status: 200, body: { document, status, errors, processing_time: 1.5, timings: {} } };
}
