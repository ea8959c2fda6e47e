/** How a PostgreSQL server may have us sign in: what is left by libpq's `require_auth`. */

/**
 * `none`: the server asks for nothing. `scram-sha-256` includes `scram-sha-256-plus`, which is
 * bound to the TLS line.
 */
export const signInMethods = ['none', 'password', 'md5', 'scram-sha-256', 'scram-sha-256-plus'] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** @param methods undefined for any. */
export function admits(methods: readonly SignInMethod[] | undefined, method: SignInMethod): boolean {
  if (methods === undefined || methods.includes(method)) return true;
  return method === 'scram-sha-256-plus' && methods.includes('scram-sha-256');
}
