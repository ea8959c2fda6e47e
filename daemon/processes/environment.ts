/** Removes from the daemon's environment what a driver or OpenSSL would read (spec §2 Launch). */

/** The last three would make glibc look up a saved host under somebody else's domain. */
const foreign = /^(?:PG|MYSQL|NODE_|SSL_CERT_)|^(?:LOCALDOMAIN|RES_OPTIONS|HOSTALIASES)$/;

/**
 * A stray PGHOST or MYSQL_PWD would reach a database that the user did not save, with a password
 * that they did not give.
 */
export function forgetForeignSettings(environment: Record<string, string | undefined>): void {
  for (const name of Object.keys(environment)) if (foreign.test(name)) delete environment[name];
}
