/** The server's settings that every statement of ours runs under, by name, as text. */

import { timeZoneOnPostgres } from '../../access/time-zone.ts';
import type { CallContext } from '../../query/database.ts';
import { limits } from './limits.ts';
import { wholeCharacters } from './values.ts';

export type Settings = Readonly<Record<string, string>>;

/** @param timeZone the connection's; null for what the server, the database or the role says. */
export function settingsFor(
  { client, timeoutSeconds }: Pick<CallContext, 'client' | 'timeoutSeconds'>,
  timeZone: string | null,
): Settings {
  const milliseconds = Math.max(1, Math.ceil(timeoutSeconds * 1_000));
  return {
    application_name: applicationName(client),
    statement_timeout: `${milliseconds}`,
    // Frees the server's locks when this machine falls asleep in the middle of a transaction.
    idle_in_transaction_session_timeout: `${milliseconds + limits.endMilliseconds}`,
    DateStyle: 'ISO',
    IntervalStyle: 'postgres',
    bytea_output: 'hex',
    extra_float_digits: '3',
    // What the classifier took for a literal must be one here too: with `off`, '\' would end it elsewhere.
    standard_conforming_strings: 'on',
    client_min_messages: 'notice',
    ...(timeZone !== null && { TimeZone: timeZoneOnPostgres(timeZone) }),
  };
}

function applicationName(client: string): string {
  const name = Buffer.from(`Sallyport: ${client.replaceAll('\0', '')}`, 'utf8');
  return name.toString('utf8', 0, wholeCharacters(name, limits.applicationNameBytes));
}
