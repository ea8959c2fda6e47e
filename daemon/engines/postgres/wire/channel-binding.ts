/** What a TLS line's certificate gives the sign-in: the hash that binds it, and its key. */

import { createHash, X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { loadDriver } from '../../load-driver.ts';
import { DialRefused } from './tls.ts';

interface CertificateSignatures {
  /** In the form of Web Crypto: `SHA-256`. Throws for a signature without a hash of its own. */
  signatureAlgorithmHashFromCertificate(certificate: Buffer): string;
}

/** `tls-server-end-point` (RFC 5929 §4.1). @throws DialRefused */
export function certificateHash(line: TLSSocket): Buffer {
  const signatures = loadDriver<CertificateSignatures>(require => require('pg/lib/crypto/cert-signatures.js'));
  try {
    const { raw } = line.getPeerCertificate();
    const name = signatures.signatureAlgorithmHashFromCertificate(raw);
    const hash = name === 'MD5' || name === 'SHA-1' ? 'sha256' : name.toLowerCase().replace(/^sha-/, 'sha');
    return createHash(hash).update(raw).digest();
  } catch {
    throw new DialRefused('the certificate of the server is signed in a way to which SCRAM cannot bind a sign-in');
  }
}

/**
 * SHA-256 in base64 of the certificate's public key, as SubjectPublicKeyInfo. @throws DialRefused
 */
export function certificateKey(line: TLSSocket): string {
  try {
    const { publicKey } = new X509Certificate(line.getPeerCertificate().raw);
    return createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64');
  } catch {
    throw new DialRefused('the key in the certificate of the server cannot be read');
  }
}
