/** Imported first by the entries: what follows (GraphQL's checks, Express) takes its fast, quiet form unless told otherwise. */
process.env['NODE_ENV'] ??= 'production';
