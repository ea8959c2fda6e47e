/**
 * Reads libpq's `require_auth` and `channel_binding` (manual, 34.1.2) as one list: the methods that
 * they leave. Part of `connection-url.ts`.
 */

import { type SignInMethod, signInMethods } from './sign-in-methods.ts';
import { type RefusedUrl, refusedUrl } from './url-parts.ts';

/** The ways to sign in that libpq has and Sallyport doesn't. */
const unspoken = ['gss', 'sspi', 'oauth'];
const spoken = signInMethods.filter(method => method !== 'scram-sha-256-plus');

/** @returns null for any. */
export function signInMethodsOf(requireAuth = '', channelBinding = ''): readonly SignInMethod[] | null | RefusedUrl {
  const named = requireAuth === '' ? [] : requireAuth.split(',').map(word => word.trim());
  const isExcluding = named.every(word => word.startsWith('!'));
  const words = named.map(word => (isExcluding ? word.slice(1) : word));
  const isKnown = words.every(word => spoken.some(method => method === word) || unspoken.includes(word));
  if (!isKnown || new Set(words).size < words.length)
    return refusedUrl(
      'require_auth must name some of password, md5, scram-sha-256 and none, each once, or each with a ! before it to exclude it.',
    );
  if (!/^(?:|disable|prefer|require)$/.test(channelBinding))
    return refusedUrl('channel_binding must be disable, prefer or require.');
  const left = spoken.filter(method => words.includes(method) !== isExcluding);
  const isBound = channelBinding === 'require';
  if (left.length === 0 || (isBound && !left.includes('scram-sha-256')))
    return refusedUrl(
      'require_auth and channel_binding leave no way to sign in that Sallyport knows: password, md5, scram-sha-256 or none.',
    );
  if (isBound) return ['scram-sha-256-plus'];
  return left.length === spoken.length ? null : left;
}
