/**
 * What a person can do about an unreachable database, by the words of its failure. Clients read the
 * failure but not this advice: it might make them have the connection weakened.
 */

import { shellWord } from '../../shared/client-configs.ts';
import type { TlsMode } from '../access/connection.ts';
import { tlsAdvice } from '../engines/tls-advice.ts';

const advices: readonly (readonly [words: RegExp, sentence: string])[] = [
  [
    /asks for TLS mode|offers no TLS/,
    'Switch TLS on at the server; or use --tls prefer or --tls disable, which send everything in clear text, where others may read and change it.',
  ],
  [
    /\bno encryption\b|\bSSL off\b|insecure transport are prohibited/,
    'If the server accepts only encrypted connections, use `sallyport connections set NAME --tls require`; --tls verify-full with --ca also checks who answers.',
  ],
  [
    /when asked for TLS|request for TLS as PostgreSQL|unsupported protocol|wrong version number|handshake failure/,
    'If the server is on this computer, `sallyport connections set NAME --tls disable` connects without TLS.',
  ],
  [
    /password authentication failed|using password: (?:YES|NO)|asks for a password and the connection has none/,
    'Give the right one with `sallyport connections set NAME --password-stdin`.',
  ],
  [
    /nobody has confirmed the SSH host key/,
    "`sallyport connections test NAME`, at a terminal, shows the key, and trusts it if you agree. Compare it with what the server's administrator says.",
  ],
  [
    /the SSH host key of \S{1,300} is another one than it was/,
    "Ask the server's administrator whether its key was changed. If it was, remove the old one with `ssh-keygen -R`, then test the connection again.",
  ],
  [
    /has a passphrase, and none that fits is kept/,
    'Give it with `sallyport connections set NAME --ssh-passphrase-stdin`, or add the key to your SSH agent.',
  ],
  [
    /it asks for a password, and none that fits is kept/,
    'Give it with `sallyport connections set NAME --ssh-password-stdin`.',
  ],
  [
    /is not what it was when the connection was saved/,
    'If you renewed it, or know who did, `sallyport connections trust NAME` takes it as it is now.',
  ],
  [
    /so somebody else may answer in its place|with a key that nobody has confirmed/,
    'If you changed the server, `sallyport connections trust NAME` takes the one that answers now for the right one.',
  ],
  [
    /nothing proves who would read it/,
    'Use TLS with --tls verify-full, or its socket; for a server to throw away, `sallyport connections set NAME --identity any`.',
  ],
  [
    /\(require_auth, channel_binding\)/,
    'Change how the server lets this user in, or give the connection another URL with `sallyport connections set NAME --url URL`.',
  ],
  [/nobody has tested this connection yet/, '`sallyport connections test NAME` tests it.'],
  [/the SSH agent refused the use of a key/, 'Unlock the agent, or agree if it asks; then test the connection again.'],
  [
    /SSH could not sign in at|none of the many keys/,
    'Name the key with `sallyport connections set NAME --ssh HOST --ssh-key FILE`, or add it to your SSH agent; then test the connection again.',
  ],
  [/others may read the client key/, 'Run `chmod 600` on it, then try again.'],
  [
    /has a passphrase, and none is kept|kept passphrase does not open the client key/,
    'Give its passphrase with `sallyport connections set NAME --key-passphrase-stdin`.',
  ],
];

/**
 * MySQL and MariaDB refuse a session without TLS like a wrong password, if the account or the
 * server requires TLS.
 */
const mayAskForTls =
  'If the password is right, the account accepts only encrypted sessions: `sallyport connections set NAME --tls require`.';

/**
 * @param name of the connection, for a command to type.
 * @param mode with which it was dialled; null if unknown.
 * @returns what to do, in sentences; null if there is nothing to add.
 */
export function dialAdvice(message: string, name: string, mode: TlsMode | null = null): string | null {
  const advice = tlsAdvice(message) ?? advices.find(([words]) => words.test(message))?.[1] ?? null;
  const isHidden = mode === 'disable' && /using password: YES/.test(message);
  const sentences = isHidden ? `${advice} ${mayAskForTls}` : advice;
  return sentences?.replaceAll('NAME', () => shellWord(name)) ?? null;
}
