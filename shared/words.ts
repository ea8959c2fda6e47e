/** Words that the daemon's rules, its messages and shells share, each list in reading order. */

/**
 * From least to most. `prefer` tries TLS first, and uses clear text only if the server says it has
 * no TLS, never after a failed handshake.
 */
export const tlsModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

/** From least to most. */
export const externalClientsLevels = ['blocked', 'readOnly', 'readWrite'] as const;

/** From most to least. */
export const aiPolicies = ['always', 'askEachTime', 'never'] as const;

/** What a person types and reads for a level, from least to most, and the daemon's word for it. */
export const externalClientsWords = {
  blocked: 'blocked',
  'read-only': 'readOnly',
  'read-write': 'readWrite',
} as const satisfies Readonly<Record<string, (typeof externalClientsLevels)[number]>>;

/** The same for an AI policy, from most to least. */
export const aiPolicyWords = {
  always: 'always',
  ask: 'askEachTime',
  never: 'never',
} as const satisfies Readonly<Record<string, (typeof aiPolicies)[number]>>;

/** From least to most. */
export const scopes = ['readOnly', 'readWrite', 'fullAccess'] as const;

/** Spec §5: the bridge's token, hidden from every list. */
export const bridgeTokenName = '__stdio_bridge__';

export const activityCategories = ['auth', 'access', 'admin', 'query', 'tool', 'resource'] as const;

export const activityOutcomes = ['success', 'denied', 'error', 'unknown', 'rate_limited'] as const;

/** How many days a token can live. */
export const expiryDays = [1, 7, 30, 90] as const;

/**
 * What a method of signing in does with the password, worst first
 * (daemon/access/server-identity.ts).
 */
export const methodClasses = ['asks_nothing', 'reveals', 'legacy', 'guessable', 'proves', 'proves_line'] as const;
/** By what a server shows that it is still the same one (daemon/access/server-identity.ts). */
export const serverProofs = ['certificate', 'socket_owner', 'line', 'password', 'key', 'nothing'] as const;
