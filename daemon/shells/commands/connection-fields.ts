/**
 * The shape of `connections.save`'s parameters (spec §6): types, lengths and ranges, field by
 * field. What fits together is judged in connection-change.ts.
 */

import * as z from 'zod';
import { engines } from '../../../shared/engine.ts';
import { signInMethods } from '../../../shared/sign-in-methods.ts';
import { mostSshJumps, sshHopIn } from '../../../shared/ssh-hop.ts';
import { targetServersWords } from '../../../shared/target-servers.ts';
import type { Clause, NumberText } from '../../../shared/texts.ts';
import { aiPolicies, externalClientsLevels, tlsModes } from '../../access/connection.ts';
import { areHosts, isUser, mayHoldPassword } from '../../access/credential-forms.ts';
import { mostRows, mostSeconds, mostWriteRows } from '../../access/settings/settings.ts';
import { isTimeZone } from '../../access/time-zone.ts';
import { maskPatternProblem } from '../../guard/masks.ts';
import { mostPatterns, patternProblem } from '../../guard/sight.ts';
import type { Message } from '../messages/message.ts';
import { connectionName, printable, upTo } from './shapes.ts';

/** Colours that the macOS app can draw; any other is six hexadecimal digits. */
export const colours = ['red', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink', 'brown', 'grey'] as const;

const longestWriteSeconds = 366 * 86_400;

const secretRefusals = {
  password: ['a password is not empty', 'a password has at most %lld characters', 'a password has no NUL character'],
  passphrase: [
    'a passphrase is not empty',
    'a passphrase has at most %lld characters',
    'a passphrase has no NUL character',
  ],
} as const;

const rowsRange = '1 to %lld rows are expected';
const secondsRange = '1 to %lld seconds are expected';

/** The sentence goes wherever the request's answer goes, so it repeats nothing of the value. */
const holdsPassword =
  'it seems to contain a password, which clients could see; remove it, and give the password separately (--password-stdin)';

const shown = (text: z.ZodType<string>): z.ZodType<string> =>
  text.refine(typed => !mayHoldPassword(typed), holdsPassword);

// A host has no slash or backslash: drivers would take it for a socket's folder.
const host = z.string('a host name is expected').refine(areHosts, 'a host name or an address is expected');

const path = shown(
  z
    .string('a path is expected')
    .max(4_096, 'a path has at most 4096 characters')
    .regex(/^\/[^\0]*$/, 'an absolute path is expected'),
);

const endpoint = z.strictObject({
  engine: z.enum(engines, `one of ${engines.join(', ')} is expected`),
  host: host.nullable(),
  port: z.int('a port from 1 to 65535 is expected').min(1, portRange()).max(65_535, portRange()).nullable(),
  socketPath: path.nullable(),
  filePath: path.nullable(),
  database: shown(printable(255)).nullable(),
  user: printable(255).refine(isUser, holdsPassword).nullable(),
});

const userCommand = z
  .string('a command is expected')
  .max(4_096, 'a command has at most 4096 characters')
  .refine(command => command.trim() !== '' && !command.includes('\0'), 'a command is expected');

const password = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('stored'),
    value: secret('password', 65_536),
  }),
  z.strictObject({
    kind: z.literal('command'),
    command: userCommand,
  }),
]);

const sshHop = z.string('a host is expected').refine(text => sshHopIn(text) !== null, '[user@]host[:port] is expected');

const tunnel = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('ssh'),
    destination: sshHop,
    jumps: z
      .array(sshHop)
      .refine(hops => hops.length <= mostSshJumps, upTo(mostSshJumps, 'at most %lld hops are taken')),
    keyFile: path.nullable(),
  }),
  z.strictObject({ kind: z.literal('command'), command: userCommand }),
]);

const patternsWithout = (problemOf: (pattern: string) => string | null) =>
  z
    .array(
      z.string('a text is expected').superRefine((typed, refused) => {
        const problem = problemOf(typed);
        if (problem !== null) refused.addIssue({ code: 'custom', message: problem });
      }),
      'a list of patterns is expected',
    )
    .max(mostPatterns, `at most ${mostPatterns} patterns are kept`);
export const patterns = patternsWithout(patternProblem);
export const maskPatterns = patternsWithout(maskPatternProblem);

/**
 * A new connection (with `name` and `endpoint`), or changes to a saved one; members left out stay.
 */
export const connectionFields = z.strictObject({
  /** Id or name of the saved connection to change; left out for a new one. */
  connection: z.string('an id or a name is expected').max(256, 'an id or a name is expected').optional(),
  name: shown(connectionName).optional(),
  /**
   * Replaces the former endpoint. Unless `tls` is given, TLS becomes the default for such a place.
   */
  endpoint: endpoint.optional(),
  /** Turns a missing or empty SQLite file into a database. */
  create: z.boolean('true or false is expected').optional(),
  tls: z
    .strictObject({
      mode: z.enum(tlsModes, `one of ${tlsModes.join(', ')} is expected`).optional(),
      caFile: path.nullable().optional(),
      clientCertificate: z.strictObject({ certificateFile: path, keyFile: path }).nullable().optional(),
      /**
       * Opens the client key; kept in the secret store as long as there is a client certificate.
       * The limit is OpenSSL's.
       */
      keyPassphrase: secret('passphrase', 1_024).optional(),
    })
    .optional(),
  databases: z.enum(['own', 'all'], 'own or all is expected').optional(),
  /** Null for any server. */
  targetServers: z
    .enum(targetServersWords, `one of ${targetServersWords.join(', ')} is expected`)
    .nullable()
    .optional(),
  /** Null for any. */
  signInMethods: z
    .array(z.enum(signInMethods, `one of ${signInMethods.join(', ')} is expected`))
    .min(1, 'at least one method is expected')
    .max(signInMethods.length, 'each method once is expected')
    .nullable()
    .optional(),
  password: password.optional(),
  /** With `known`, the default, its servers must stay what they were. */
  identity: z.enum(['known', 'any'], 'known or any is expected').optional(),
  /** With `both`, the default, clients read only if the server refuses writes, too. */
  walls: z.enum(['both', 'one'], 'both or one is expected').optional(),
  /** Tables that its clients never meet; the only ones that they meet; those met all the same. */
  hide: patterns.optional(),
  only: patterns.optional(),
  show: patterns.optional(),
  /** Columns that its clients may not read. */
  mask: maskPatterns.optional(),
  /** Null for none. */
  tunnel: tunnel.nullable().optional(),
  /** Opens the tunnel's key file; kept in the secret store as long as there is such a tunnel. */
  sshPassphrase: secret('passphrase', 1_024).optional(),
  sshPassword: secret('password', 1_024).optional(),
  statementTimeoutSeconds: within(mostSeconds, secondsRange).nullable().optional(),
  rowLimit: within(mostRows, rowsRange).nullable().optional(),
  writeRowLimit: within(mostWriteRows, rowsRange).nullable().optional(),
  timeZone: z
    .string('a time zone is expected')
    .refine(isTimeZone, 'a time zone is expected, like Europe/Berlin, UTC or +05:30')
    .nullable()
    .optional(),
  colour: z
    .string('a colour is expected')
    .refine(isColour, `one of ${colours.join(', ')} or #rrggbb is expected`)
    .nullable()
    .optional(),
  group: shown(printable(64)).nullable().optional(),
  tags: z
    .array(shown(printable(32)))
    .max(16, 'at most 16 tags are kept')
    .optional(),
  externalClients: z
    .strictObject({
      level: z.enum(externalClientsLevels, `one of ${externalClientsLevels.join(', ')} is expected`),
      forSeconds: within(longestWriteSeconds, secondsRange).nullable().optional(),
    })
    .refine(({ level, forSeconds }) => forSeconds == null || level === 'readWrite', 'only readWrite ends after a time')
    .optional(),
  aiPolicy: z.enum(aiPolicies, `one of ${aiPolicies.join(', ')} is expected`).optional(),
});

export type ConnectionSaveParams = Message<typeof connectionFields>;

function secret(kind: keyof typeof secretRefusals, mostCharacters: number): z.ZodType<string> {
  const [empty, tooLong, hasNul] = secretRefusals[kind];
  return z
    .string('a text is expected')
    .min(1, empty)
    .refine(value => value.length <= mostCharacters, upTo(mostCharacters, tooLong))
    .refine(value => !value.includes('\0'), hasNul);
}

function isColour(text: string): boolean {
  return colours.some(colour => colour === text) || /^#[0-9a-f]{6}$/i.test(text);
}

function within(most: number, code: Clause<NumberText>): z.ZodType<number> {
  const refusal = upTo(most, code);
  return z.int(refusal.message).refine(number => number >= 1 && number <= most, refusal);
}

function portRange(): string {
  return 'a port from 1 to 65535 is expected';
}
