/**
 * Touch ID as the owner passphrase's equal (spec §11): a signature by a key of the Mac's Secure
 * Enclave, which signs only once its owner has put a finger on the sensor or typed the account's
 * password. Knows the public half and judges; keeps nothing.
 */

import { createPublicKey, verify } from 'node:crypto';

/**
 * @param publicKey SubjectPublicKeyInfo as base64url.
 * @returns null, or a sentence: why no Secure Enclave has its other half.
 */
export function touchIdKeyProblem(publicKey: string): string | null {
  try {
    const { asymmetricKeyDetails } = keyOf(publicKey);
    if (asymmetricKeyDetails?.namedCurve === 'prime256v1') return null;
  } catch {
    // Not a key at all.
  }
  return 'publicKey is not the public key of a P-256 key pair.';
}

/**
 * @param challenge what the app was told with what it is to confirm, good for that alone.
 * @param signature ECDSA over SHA-256, DER as base64url; null where none came.
 */
export function isSignedByTouch(publicKey: string, challenge: string, signature: string | null): boolean {
  if (signature === null) return false;
  try {
    return verify('sha256', signedText(challenge), keyOf(publicKey), Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

/** As `shell-macos/Sources/ShellRules/Confirmation/TouchID.swift` has it. */
function signedText(challenge: string): Buffer {
  return Buffer.from(`sallyport touch-id 1\n${challenge}`);
}

function keyOf(publicKey: string): ReturnType<typeof createPublicKey> {
  return createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' });
}
