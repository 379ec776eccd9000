import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

import { derBits, derInteger, derOctets, derOid, derSequence, derSet, derText, derTime, derTrue, derValue } from './der.ts';

export interface Certificate {
  readonly certificatePem: string;
  readonly keyPem: string;
}

export interface CertificateRequest {
  /** A server's name, or the user a client certificate stands for. */
  readonly commonName: string;
  /** A user's groups. */
  readonly organizations?: readonly string[];
  /** Default: an hour ago. */
  readonly notBefore?: Date;
  /** Default: in a day. An instant in the past makes an expired certificate. */
  readonly notAfter?: Date;
}

const oid = Object.freeze({
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  subjectAlternativeName: '2.5.29.17',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
});
const hourMs = 3_600_000;
const certificateSigning = derBits(Buffer.from([0x06]), 1);
const digitalSignature = derBits(Buffer.from([0x80]), 7);

function nameOf(request: CertificateRequest): Buffer {
  const attribute = (type: string, value: string) => derSet(derSequence(derOid(type), derText(value)));
  const organizations = (request.organizations ?? []).map((name) => attribute(oid.organization, name));
  return derSequence(...organizations, attribute(oid.commonName, request.commonName));
}

function extension(type: string, value: Buffer, isCritical = false): Buffer {
  return derSequence(derOid(type), ...(isCritical ? [derTrue] : []), derOctets(value));
}

const authorityExtensions = [
  extension(oid.basicConstraints, derSequence(derTrue), true),
  extension(oid.keyUsage, certificateSigning, true),
];
const loopbackExtensions = [
  extension(oid.basicConstraints, derSequence(), true),
  extension(oid.keyUsage, digitalSignature, true),
  extension(oid.extendedKeyUsage, derSequence(derOid(oid.serverAuth), derOid(oid.clientAuth))),
  extension(
    oid.subjectAlternativeName,
    derSequence(derValue(0x87, Buffer.from([127, 0, 0, 1])), derValue(0x82, Buffer.from('localhost', 'ascii'))),
  ),
];

function pemOf(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/**
 * Signs certificates for 127.0.0.1 and localhost, for servers and for clients. X.509 is written out here because a machine need not have
 * openssl, and because Node can read certificates but not make them.
 */
export class CertificateAuthority {
  readonly #key: KeyObject;
  readonly #name = nameOf({ commonName: 'control-plane-ca' });
  readonly certificatePem: string;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    this.certificatePem = this.#signed({ commonName: 'control-plane-ca' }, publicKey, authorityExtensions);
  }

  issue(request: CertificateRequest): Certificate {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return {
      certificatePem: this.#signed(request, publicKey, loopbackExtensions),
      keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
  }

  #signed(request: CertificateRequest, publicKey: KeyObject, extensions: readonly Buffer[]): string {
    const algorithm = derSequence(derOid(oid.ecdsaWithSha256));
    const toBeSigned = derSequence(
      derValue(0xa0, derInteger(Buffer.from([2]))),
      derInteger(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
      algorithm,
      this.#name,
      derSequence(
        derTime(request.notBefore ?? new Date(Date.now() - hourMs)),
        derTime(request.notAfter ?? new Date(Date.now() + 24 * hourMs)),
      ),
      nameOf(request),
      publicKey.export({ type: 'spki', format: 'der' }),
      derValue(0xa3, derSequence(...extensions)),
    );
    return pemOf('CERTIFICATE', derSequence(toBeSigned, algorithm, derBits(sign('sha256', toBeSigned, this.#key))));
  }
}
