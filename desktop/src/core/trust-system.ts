import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** A gateway of one's own often has a certificate of one's own: what the system trusts is trusted, too. */
export function trustSystem(): void {
  setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])]);
}
