/** Codes of Node.js and OpenSSL; `UNSPECIFIED` is what Node.js calls each reason against a certificate that it has no name for. */
const CODE =
  /^(CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERROR_IN_CERT_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|UNSPECIFIED|ERR_TLS_|ERR_SSL_|EPROTO$)/;

/** Whether an error's code says that TLS was not agreed on, or that a certificate does not hold: nothing was sent then. */
export function isTlsFailure(code: string): boolean {
  return CODE.test(code);
}
