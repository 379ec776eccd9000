import { X509Certificate } from 'node:crypto';
import { messageOf } from '../failure/message-of.ts';
import { KubeconfigError } from './kubeconfig-error.ts';

export interface CheckCertificateOptions {
  readonly source: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** Throws when a client certificate cannot be read or its time is over: the server would only say that it does not know us. */
export function checkCertificate(pem: Buffer, options: CheckCertificateOptions): void {
  const { source, nowMs } = options;
  const certificate = readCertificate(pem, source);
  const notAfterMs = Date.parse(certificate.validTo);
  const notBeforeMs = Date.parse(certificate.validFrom);
  if (notAfterMs >= nowMs && notBeforeMs <= nowMs) return;
  const expired = notAfterMs < nowMs;
  const when = new Date(expired ? notAfterMs : notBeforeMs).toISOString();
  throw new KubeconfigError(
    `the client certificate (${certificate.subject.replaceAll('\n', ', ')}) ${expired ? 'expired' : 'is valid only from'} ${when}`,
    {
      code: 'KUBECONFIG_CERTIFICATE_EXPIRED',
      source,
      hint: expired ? 'get a new kubeconfig from whoever issued it, or log in again' : "check this machine's clock",
      data: { notBefore: new Date(notBeforeMs).toISOString(), notAfter: new Date(notAfterMs).toISOString() },
    },
  );
}

function readCertificate(pem: Buffer, source: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new KubeconfigError(`the client certificate cannot be read: ${messageOf(error)}`, {
      code: 'KUBECONFIG_CERTIFICATE_INVALID',
      source,
      hint: 'client-certificate-data is a PEM certificate in base64, client-certificate the path of a PEM file',
      cause: error,
    });
  }
}
