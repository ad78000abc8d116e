/** Imported first by the entries: what follows (GraphQL's checks, Express) takes its fast, quiet form unless told otherwise. */
process.env['NODE_ENV'] ??= 'production';

// Libraries stand in one bundle with our code, so that Node takes their calls for ours: what it says of them is nothing
// that an operator can mend.
process.noDeprecation = true;
