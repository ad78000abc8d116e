/** A sentence for each setting that another one needs; `given` has those that are set. */
export function missingSettings(given: Readonly<Record<string, unknown>>): string[] {
  const isSet = (name: string) => given[name] !== undefined;
  const missing: string[] = [];
  if (isSet('IDP_ISSUER') && !isSet('IDP_CLIENT_ID') && !isSet('IDP_AUDIENCE')) {
    missing.push('IDP_CLIENT_ID: is needed with IDP_ISSUER (or IDP_AUDIENCE alone)');
  }
  if (isSet('ARCHIVE_AFTER_MONTHS') && !isSet('ARCHIVE_DIR')) {
    missing.push('ARCHIVE_DIR: is needed with ARCHIVE_AFTER_MONTHS');
  }
  return missing;
}
