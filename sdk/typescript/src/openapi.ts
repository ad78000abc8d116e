/** The contract's types; the build puts them beside the client. */
export type { components } from '@ocr-router/openapi/types';
