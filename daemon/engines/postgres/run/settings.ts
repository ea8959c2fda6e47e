/**
 * The server settings for every statement of ours, by name, as text: all that change a result, a
 * look-up or our own text, whatever server, database or role set.
 */

import { timeZoneOnPostgres } from '../../../access/time-zone.ts';
import type { CallContext } from '../../engine.ts';
import { limits } from '../wire/bounds.ts';
import { wholeCharacters } from '../wire/values.ts';
import { lowerLimits, ourLimits, type TimeLimits, unlimited } from './time-limits.ts';

/**
 * How often a server that can checks during a statement whether we are still there: it then ends
 * what a killed daemon ran.
 */
const clientCheckMilliseconds = 1_000;
/** NAMEDATALEN - 1; the server cuts there too, even within a character. */
const applicationNameBytes = 63;

export type Settings = Readonly<Record<string, string>>;

/** @param timeZone the connection's; null for that of server, database or role. */
export function settingsFor(
  context: Pick<CallContext, 'client' | 'clock' | 'timeoutSeconds'>,
  timeZone: string | null,
  servers: TimeLimits = unlimited,
): Settings {
  const ours = ourLimits(context);
  const { statement, lock } = lowerLimits(ours, servers);
  return {
    application_name: applicationName(context.client),
    statement_timeout: `${statement}`,
    lock_timeout: `${lock}`,
    // Frees the server's locks if this machine falls asleep during a transaction.
    idle_in_transaction_session_timeout: `${ours.statement + limits.endMilliseconds}`,
    DateStyle: 'ISO',
    IntervalStyle: 'postgres',
    bytea_output: 'hex',
    extra_float_digits: '3',
    // What the classifier took for a literal must be one here too: with `off`, '\' would end it
    // elsewhere.
    standard_conforming_strings: 'on',
    client_min_messages: 'notice',
    // With `off`, a null in a list that a client binds would become the text NULL.
    array_nulls: 'on',
    // Our descriptions quote what needs quotes, and compare names without them.
    quote_all_identifiers: 'off',
    // With `on`, each error would end the session, and be told as a lost connection.
    exit_on_error: 'off',
    // It silently cuts what an index of kind GIN finds.
    gin_fuzzy_search_limit: '0',
    ...(timeZone !== null && { TimeZone: timeZoneOnPostgres(timeZone) }),
  };
}

/**
 * PostgreSQL 14 and newer, not on every system. Only in the start-up packet, so no statement fails
 * because of it.
 */
const clientCheck = 'client_connection_check_interval';

export function withClientCheck(settings: Settings): Settings {
  return { ...settings, [clientCheck]: `${clientCheckMilliseconds}` };
}

/** A server that doesn't know it, or can't do it, names it in the error. */
export function refusesClientCheck(error: unknown): boolean {
  return error instanceof Error && error.message.includes(clientCheck);
}

/** The settings of the first session, which is to tell the server's own limits. */
export function withoutLimits({ statement_timeout, lock_timeout, ...settings }: Settings): Settings {
  return settings;
}

/**
 * The settings for the start-up packet, without DateStyle: one there would also take the server's
 * order of day and month instead of the role's or database's, which a later one keeps.
 */
export function startUpSettings({ DateStyle, ...settings }: Settings): Settings {
  return settings;
}

const applicationNameStart = 'Sallyport: ';

/**
 * False if the server passed over the start-up packet's settings, as PGlite does: many sockets are
 * one session there. Every server reports this one (PostgreSQL manual, 55.2.7).
 */
export function tookSettings({ applicationName: reported }: { readonly applicationName: string | null }): boolean {
  return reported?.startsWith(applicationNameStart) === true;
}

function applicationName(client: string): string {
  const name = Buffer.from(`${applicationNameStart}${client.replaceAll('\0', '')}`, 'utf8');
  return name.toString('utf8', 0, wholeCharacters(name, applicationNameBytes));
}
