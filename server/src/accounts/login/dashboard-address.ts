import { localUrl } from '../../platform/local-url.ts';

/** The dashboard as this machine's browsers call it, unless the operator says otherwise. */
export function dashboardAddress(config: {
  readonly dashboardUrl: URL | null;
  readonly host: string;
  readonly dashboardPort: number;
}): URL {
  const { dashboardUrl, host, dashboardPort } = config;
  return dashboardUrl ?? new URL(localUrl(host, dashboardPort));
}
