/**
 * The words that the daemon's rules, the shapes of its messages and shells have in common, each
 * list in the order that it is read in.
 */

/**
 * From the least to the most. `prefer` tries TLS first and takes clear text only where the server
 * says it has none, never after a failed handshake.
 */
export const tlsModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

/** From the least to the most. */
export const externalClientsLevels = ['blocked', 'readOnly', 'readWrite'] as const;

/** From the most to the least. */
export const aiPolicies = ['always', 'askEachTime', 'never'] as const;

/** From the least to the most. */
export const scopes = ['readOnly', 'readWrite', 'fullAccess'] as const;

/**
 * In the order in which the log's rows number them (daemon/storage/activity/packed-values.ts): a
 * new one goes to the end.
 */
export const activityCategories = ['auth', 'access', 'admin', 'query', 'tool', 'resource'] as const;

export const activityOutcomes = ['success', 'denied', 'error', 'unknown', 'rate_limited'] as const;

/** For how many days a token can live. */
export const expiryDays = [1, 7, 30, 90] as const;
