/** The time zones that a connection takes, and how each engine is told of one. */

const offset = /^[+-](?:0\d|1[0-3]):[0-5]\d$|^\+14:00$/;
const name = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/**
 * A name of the IANA's (`Europe/Berlin`, `UTC`), or an offset (`+05:30`) that lies east of
 * Greenwich with a plus.
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

/** PostgreSQL takes a bare offset as POSIX does, where a plus lies west. */
export function timeZoneOnPostgres(zone: string): string {
  if (!offset.test(zone)) return zone;
  return `<${zone}>${zone.startsWith('+') ? '-' : '+'}${zone.slice(1)}`;
}

/** MySQL knows names only once its tables of them are filled, and UTC is one of them. */
export function timeZoneOnMysql(zone: string): string {
  return /^utc$/i.test(zone) ? '+00:00' : zone;
}
