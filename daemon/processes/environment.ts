/**
 * What the daemon takes away from its own environment before a driver can read it (spec §2 Launch).
 */

/** The last three have glibc look a saved host up under a domain of somebody else's. */
const foreign = /^(?:PG|MYSQL|NODE_)|^(?:LOCALDOMAIN|RES_OPTIONS|HOSTALIASES)$/;

/**
 * A stray PGHOST or MYSQL_PWD would reach a database the user did not save, with a password they
 * did not give.
 */
export function forgetForeignSettings(environment: Record<string, string | undefined>): void {
  for (const name of Object.keys(environment)) if (foreign.test(name)) delete environment[name];
}
