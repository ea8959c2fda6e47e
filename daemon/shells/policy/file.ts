/**
 * The form of a policy file (spec §6), of which shared/sallyport.schema.json is made. Shells send a
 * file's content as JSON and read none of it: this alone decides what it may say.
 */

import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import { mayHoldPassword } from '../../access/credential-forms.ts';
import type { SettingForm } from '../../access/settings/setting-values.ts';
import { type SettingKey, settingSpecs } from '../../access/settings/settings.ts';
import { printable } from '../commands/shapes.ts';
import { type PolicyKeyName, type PolicyValue, policyKeyNames, policyKeys } from './keys.ts';

/**
 * The settings that say what clients may do or take; none of this machine's ports, files and
 * commands. A maximum stands before what it bounds.
 */
export const policySettings = [
  'limits.requestsPerMinute',
  'limits.concurrentRequests',
  'approval.rememberHours',
  'writes.maxRows',
  'results.maxRows',
  'results.defaultRows',
  'results.maxBytes',
  'results.defaultBytes',
  'results.maxCellBytes',
  'query.maxSeconds',
  'query.defaultSeconds',
  'history',
  'history.days',
] as const satisfies readonly SettingKey[];
export type PolicySetting = (typeof policySettings)[number];

export interface PolicyEntry extends Partial<Readonly<Record<PolicyKeyName, PolicyValue>>> {
  /** A connection's name, or with `*` a pattern of names. */
  readonly name: string;
}

export interface Policy {
  readonly connections?: readonly PolicyEntry[] | undefined;
  readonly settings?: Partial<Readonly<Record<PolicySetting, string | number | boolean>>> | undefined;
}

export const mostEntries = 1_000;

const name = printable(64)
  .refine(text => !mayHoldPassword(text), 'it seems to hold a password, and a policy file holds none')
  .describe('the name of a connection; * stands for any characters, so a pattern that begins with it is quoted');

const list = 'a list of connections is expected';

export const policyFile = z.strictObject(
  {
    connections: z
      .array(
        z.strictObject(
          { name, ...shapesOf(policyKeyNames, key => policyKeys[key].shape.optional()) },
          'a connection with its keys is expected',
        ),
        list,
      )
      .max(mostEntries, `at most ${mostEntries} connections are taken`)
      .describe('read from top to bottom: a later key replaces an earlier one of the same connection')
      .optional(),
    settings: z
      .strictObject(
        shapesOf(policySettings, key => shapeOf(key).describe(settingSpecs[key].about).optional()),
        'settings with their values are expected',
      )
      .optional(),
  },
  'connections and settings are expected',
);

function shapesOf<Name extends string>(names: readonly Name[], shape: (name: Name) => z.ZodType) {
  return Object.fromEntries(names.map(each => [each, shape(each)])) as Record<Name, z.ZodType>;
}

function shapeOf(key: PolicySetting): z.ZodType {
  const { accepts, form }: { readonly accepts: string; readonly form: SettingForm } = settingSpecs[key].takes;
  const expected = `${accepts} is expected`;
  if (form.kind === 'choice') return z.enum(form.choices as [string, ...string[]], expected);
  const number = z.int(expected);
  const within = number.min(form.least ?? 0, expected).max(form.most ?? 0, expected);
  return form.zeroMeans === null ? within : z.union([within, z.literal(0)], expected);
}

/** Where in the file, as `connections.0.hide.1`, and a clause on what is wrong there. */
export interface PolicyFault {
  readonly field: string;
  readonly why: string;
}

const looksLikeKey = /^[A-Za-z_][\w.-]{0,39}$/;

/** @param text JSON. */
export function readPolicy(text: string): Policy | PolicyFault {
  const read = policyFile.safeParse(parsedJson(text));
  // Its keys have passed their shapes.
  if (read.success) return read.data as Policy;
  const [issue] = read.error.issues;
  if (issue === undefined) return { field: '', why: 'it is no policy' };
  if (issue.code !== 'unrecognized_keys') return { field: issue.path.join('.'), why: issue.message };
  const [key = ''] = issue.keys;
  // A value may stand where a key belongs: `password:hunter2`.
  const place = looksLikeKey.test(key) ? [...issue.path, key] : issue.path;
  return { field: place.join('.'), why: unknownKey(key) };
}

export function isFault(read: object): read is PolicyFault {
  return 'why' in read;
}

function unknownKey(key: string): string {
  if (/passw|passphrase|pwd|secret|token|url|credential/i.test(key))
    return 'a policy file holds no password and no place; they stay in the connection';
  return 'there is no such key';
}
