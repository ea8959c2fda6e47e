/**
 * Recognises the form of a certificate or key file that isn't PEM, and names the program that
 * converts it.
 */

/** Words on a binary form, by how the first element of the outermost ASN.1 SEQUENCE begins. */
const binaryForms: Readonly<Record<string, string>> = {
  // The version of RFC 7292, the type of RFC 2315, the body of a certificate (RFC 5280), the
  // version of a key (RFC 5208).
  '020103': 'is a PKCS #12 file (.p12, .pfx) where PEM is expected (openssl pkcs12)',
  '06092a': 'is a PKCS #7 bundle where PEM is expected (openssl pkcs7 -inform der -print_certs)',
  '3082': 'is in the form DER where PEM is expected (openssl x509 -inform der)',
  '020100': 'is in the form DER where PEM is expected (openssl pkey -inform der)',
};
/** Java's own format; newer keystores are PKCS #12. */
const javaKeystore = 'feedfeed';

/** @returns a clause; null for an unknown form. */
export function otherForm(bytes: Buffer): string | null {
  if (bytes.includes('-----BEGIN PKCS7-----'))
    return 'is a PKCS #7 bundle where PEM is expected (openssl pkcs7 -print_certs)';
  if (bytes.subarray(0, 4).toString('hex') === javaKeystore)
    return 'is a Java keystore where PEM is expected (keytool -exportcert -rfc)';
  const [tag, length = 0] = bytes;
  // The length takes one to three more bytes, or is indefinite.
  if (tag !== 0x30 || length < 0x80 || length > 0x83) return null;
  const body = bytes.subarray(2 + (length & 0x0f)).toString('hex', 0, 8);
  const first = Object.keys(binaryForms).find(start => body.startsWith(start));
  return first === undefined ? null : (binaryForms[first] ?? null);
}
