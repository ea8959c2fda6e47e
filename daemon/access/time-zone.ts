/** The time zones that a connection accepts, and how each engine is told. */

const offset = /^[+-](?:0\d|1[0-3]):[0-5]\d$|^\+14:00$/;
const name = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/**
 * An IANA name (`Europe/Berlin`, `UTC`), or an offset (`+05:30`) in which plus means east of
 * Greenwich.
 */
export function isTimeZone(text: string): boolean {
  if (offset.test(text)) return true;
  if (!name.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** PostgreSQL reads a bare offset as POSIX does: plus means west. */
export function timeZoneOnPostgres(zone: string): string {
  if (!offset.test(zone)) return zone;
  return `<${zone}>${zone.startsWith('+') ? '-' : '+'}${zone.slice(1)}`;
}

/** MySQL knows names, UTC included, only once its time zone tables are filled. */
export function timeZoneOnMysql(zone: string): string {
  return /^utc$/i.test(zone) ? '+00:00' : zone;
}
