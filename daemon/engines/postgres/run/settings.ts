/** The server's settings that every statement of ours runs under, by name, as text. */

import { timeZoneOnPostgres } from '../../../access/time-zone.ts';
import type { CallContext } from '../../engine.ts';
import { limits } from '../wire/bounds.ts';
import { wholeCharacters } from '../wire/values.ts';

/**
 * How often a server that can looks, in the middle of a statement, whether we are still there: it
 * ends what a killed daemon ran.
 */
const clientCheckMilliseconds = 1_000;
/** NAMEDATALEN - 1; the server cuts there too, in the middle of a character. */
const applicationNameBytes = 63;

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
    // What the classifier took for a literal must be one here too: with `off`, '\' would end it
    // elsewhere.
    standard_conforming_strings: 'on',
    client_min_messages: 'notice',
    ...(timeZone !== null && { TimeZone: timeZoneOnPostgres(timeZone) }),
  };
}

/**
 * PostgreSQL 14 and newer, and not on every system. Of the start-up packet alone, so that no
 * statement fails by it.
 */
const clientCheck = 'client_connection_check_interval';

export function withClientCheck(settings: Settings): Settings {
  return { ...settings, [clientCheck]: `${clientCheckMilliseconds}` };
}

/** A server that doesn't know it, or can't do it, names it. */
export function refusesClientCheck(error: unknown): boolean {
  return error instanceof Error && error.message.includes(clientCheck);
}

function applicationName(client: string): string {
  const name = Buffer.from(`Sallyport: ${client.replaceAll('\0', '')}`, 'utf8');
  return name.toString('utf8', 0, wholeCharacters(name, applicationNameBytes));
}
