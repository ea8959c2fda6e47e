/**
 * The keys of a policy file (spec §6): what each takes, what a connection says to it, and which
 * change it asks for. A connection's new limit is one more row here.
 */

import * as z from 'zod';
import { aiPolicyWords, externalClientsWords } from '../../../shared/words.ts';
import type { Connection } from '../../access/connection.ts';
import { levelNow } from '../../access/effective-access.ts';
import { mostRows, mostSeconds, mostWriteRows } from '../../access/settings/settings.ts';
import { wholeSight } from '../../guard/sight.ts';
import { type ConnectionSaveParams, maskPatterns, patterns } from '../commands/connection-fields.ts';

export type PolicyValue = string | number | readonly string[];

interface PolicyKey<Value extends PolicyValue> {
  readonly shape: z.ZodType<Value>;
  /** Null for what a file can't say: writing that ends by itself. */
  of(connection: Connection, nowMilliseconds: number): Value | null;
  asked(value: Value): Partial<ConnectionSaveParams>;
}

function key<Value extends PolicyValue>(
  about: string,
  declared: PolicyKey<Value>,
): PolicyKey<PolicyValue> & { readonly shape: z.ZodType<Value> } {
  // Each value has passed its own shape before `asked` gets it.
  return { ...declared, shape: declared.shape.describe(about) } as never;
}

const wordsOf = <Word extends string>(words: Readonly<Record<Word, string>>): [Word, ...Word[]] =>
  Object.keys(words) as [Word, ...Word[]];

function oneOf<Word extends string>(words: readonly [Word, ...Word[]]): z.ZodType<Word> {
  return z.enum(words, `one of ${words.join(', ')} is expected`) as unknown as z.ZodType<Word>;
}

function wordFor<Word extends string>(words: Readonly<Record<Word, string>>, value: string): Word {
  return wordsOf(words).find(word => words[word] === value) as Word;
}

const byDefault = 'default';
type Limit = number | typeof byDefault;

function limit(most: number): z.ZodType<Limit> {
  const expected = `a whole number from 1 to ${most}, or ${byDefault}, is expected`;
  return z.union([z.int(expected).min(1, expected).max(most, expected), z.literal(byDefault)], expected);
}

const ofLimit = (value: number | null): Limit => value ?? byDefault;
const askedLimit = (value: Limit): number | null => (value === byDefault ? null : value);

/** In the order in which a file is written. */
export const policyKeys = {
  'external-clients': key('what AI clients may do', {
    shape: oneOf(wordsOf(externalClientsWords)),
    of: (connection, now) =>
      connection.externalClients.writeUntil !== null && levelNow(connection, now) === 'readWrite'
        ? null
        : wordFor(externalClientsWords, levelNow(connection, now)),
    asked: word => ({ externalClients: { level: externalClientsWords[word] } }),
  }),
  'ai-policy': key('whether you are asked before a client reads', {
    shape: oneOf(wordsOf(aiPolicyWords)),
    of: ({ aiPolicy }) => wordFor(aiPolicyWords, aiPolicy),
    asked: word => ({ aiPolicy: aiPolicyWords[word] }),
  }),
  databases: key('whether clients may name another database of the server', {
    shape: oneOf<Connection['databases']>(['own', 'all']),
    of: ({ databases }) => databases,
    asked: databases => ({ databases }),
  }),
  hide: key('tables that clients never meet, as table or schema.table; * stands for any characters', {
    shape: patterns,
    of: ({ sight = wholeSight }) => [...sight.hide],
    asked: hide => ({ hide: [...hide] }),
  }),
  only: key('the only tables that clients meet; [] for all', {
    shape: patterns,
    of: ({ sight = wholeSight }) => [...sight.only],
    asked: only => ({ only: [...only] }),
  }),
  show: key('what clients meet of the hidden tables nevertheless', {
    shape: patterns,
    of: ({ sight = wholeSight }) => [...sight.show],
    asked: show => ({ show: [...show] }),
  }),
  mask: key('columns that clients may not read, as table.column, schema.table.column or /word|word/', {
    shape: maskPatterns,
    of: ({ masks = [] }) => [...masks],
    asked: mask => ({ mask: [...mask] }),
  }),
  'row-limit': key('most rows of a call', {
    shape: limit(mostRows),
    of: ({ rowLimit }) => ofLimit(rowLimit),
    asked: value => ({ rowLimit: askedLimit(value) }),
  }),
  'write-row-limit': key('rows of a table that a client may change in an hour before you are asked', {
    shape: limit(mostWriteRows),
    of: ({ writeRowLimit }) => ofLimit(writeRowLimit),
    asked: value => ({ writeRowLimit: askedLimit(value) }),
  }),
  timeout: key('longest time of a statement, in seconds', {
    shape: limit(mostSeconds),
    of: ({ statementTimeoutSeconds }) => ofLimit(statementTimeoutSeconds),
    asked: value => ({ statementTimeoutSeconds: askedLimit(value) }),
  }),
};

export type PolicyKeyName = keyof typeof policyKeys;
export const policyKeyNames = Object.keys(policyKeys) as readonly PolicyKeyName[];

/** What a connection's clients meet of its tables: what one of these hides, another shows. */
export const sightKeys: readonly PolicyKeyName[] = ['hide', 'only', 'show', 'mask'];

export const judgedTogether: readonly (readonly PolicyKeyName[])[] = [
  sightKeys,
  ...policyKeyNames.filter(name => !sightKeys.includes(name)).map(name => [name]),
];
