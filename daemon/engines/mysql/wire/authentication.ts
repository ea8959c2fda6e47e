/**
 * Which ways of showing the password to a server are accepted (spec §6). A way that reveals it
 * needs verified TLS or a server on this machine. Challenge and response (`mysql_native_password`,
 * the fast path of `caching_sha2_password`) is always accepted.
 */

import type { AuthPlugin } from 'mysql2';

/** The part of mysql2's `authPlugins` that is used here. */
interface StandardPlugins {
  caching_sha2_password(options: { overrideIsSecure: boolean }): AuthPlugin;
  sha256_password(): AuthPlugin;
  mysql_clear_password(options: Record<string, never>): AuthPlugin;
}

interface Surroundings {
  /** The server is proven: verified TLS, or it runs on this machine. */
  readonly trusted: boolean;
  /** The line is private: TLS, or a Unix socket. */
  readonly confidential: boolean;
}

/** Thrown inside mysql2's handshake; people read its message. */
class PasswordWithheld extends Error {
  constructor() {
    super(
      'The server asks for the password itself, which is sent only over verified TLS or on this machine: ' +
        'set the TLS mode to verify-full or verify-ca.',
    );
  }
}

/** `caching_sha2_password`: "I don't have your hash, send the password". */
const fullAuthentication = 4;

function withheld(): never {
  throw new PasswordWithheld();
}

export function authPlugins(
  standard: StandardPlugins,
  { trusted, confidential }: Surroundings,
): Record<string, AuthPlugin> {
  return {
    // Without TLS the password is encrypted under a key that the other side names, so this needs
    // proof too.
    caching_sha2_password: metadata => {
      const answer = standard.caching_sha2_password({ overrideIsSecure: confidential })(metadata);
      return data => (!trusted && data.length === 1 && data[0] === fullAuthentication ? withheld() : answer(data));
    },
    sha256_password: metadata => {
      const answer = standard.sha256_password()(metadata);
      return data => (trusted ? answer(data) : withheld());
    },
    mysql_clear_password: metadata => {
      const answer = standard.mysql_clear_password({})(metadata);
      return data => (trusted ? answer(data) : withheld());
    },
  };
}
