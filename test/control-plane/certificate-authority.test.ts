import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { CertificateAuthority } from './certificate-authority.ts';

describe('a certificate authority', () => {
  const authority = new CertificateAuthority();
  const root = new X509Certificate(authority.certificatePem);

  it('is one that may sign', () => {
    expect(root.ca).toBe(true);
    expect(root.verify(root.publicKey)).toBe(true);
  });

  it('issues what it signed, for loopback only, with its key', () => {
    const issued = authority.issue({ commonName: 'alice', organizations: ['dev', 'ops'] });
    const certificate = new X509Certificate(issued.certificatePem);
    expect(certificate.verify(root.publicKey)).toBe(true);
    expect(certificate.checkIssued(root)).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(certificate.subject.split('\n')).toEqual(['O=dev', 'O=ops', 'CN=alice']);
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.checkIP('10.0.0.1')).toBeUndefined();
    expect(issued.keyPem).toContain('BEGIN PRIVATE KEY');
  });

  it('holds for as long as it is asked to', () => {
    const notBefore = new Date('2026-01-01T00:00:00Z');
    const notAfter = new Date('2026-01-02T03:04:05Z');
    const certificate = new X509Certificate(authority.issue({ commonName: 'brief', notBefore, notAfter }).certificatePem);
    expect([certificate.validFromDate, certificate.validToDate]).toEqual([notBefore, notAfter]);
  });
});
