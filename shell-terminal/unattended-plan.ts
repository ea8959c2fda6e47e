/**
 * Reads the plan of `sallyport init --unattended FILE` for a new home. Its keys are the options of
 * the commands that would do the same.
 */

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { isObject, parsedJson } from '../shared/json.ts';
import { misuse } from './cli-error.ts';
import { type GrantOptions, grantOptions } from './commands/tokens.ts';
import { type FieldOptions, fieldOptions } from './connection-fields.ts';
import { type PolicyText, readPolicyFile } from './policy/read.ts';
import type { Terminal } from './terminal.ts';

export interface Plan {
  readonly connections: readonly {
    readonly name: string;
    readonly url: string;
    readonly password: string | null;
    readonly options: FieldOptions;
  }[];
  readonly tokens: readonly {
    readonly name: string;
    readonly confirmInClient: boolean;
    readonly options: GrantOptions;
  }[];
  readonly settings: readonly (readonly [key: string, value: string | number | boolean])[];
  /** Null if it names none. */
  readonly policy: PolicyText | null;
}

type Entry = Readonly<Record<string, unknown>>;

/** @throws CliError that names the mistake and quotes no value: it may be a password. */
export async function readPlan(terminal: Terminal, file: string): Promise<Plan> {
  const content = parsedJson(file === '-' ? await text(terminal.stdin) : textOf(file));
  if (!isObject(content)) throw misuse(`${file} is not a JSON object.`);
  const { connections = [], tokens = [], settings = {}, policy = null, ...others } = content;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw misuse(`${file}: there is no ${JSON.stringify(unknown)}; only connections, tokens, settings and policy.`);
  if (!isObject(settings)) throw misuse(`${file}: settings must be an object of keys and values.`);
  if (policy !== null && typeof policy !== 'string') throw misuse(`${file}: policy must be the path of a file.`);
  const folder = file === '-' ? terminal.cwd : dirname(resolve(terminal.cwd, file));
  return {
    policy: policy === null ? null : await readPolicyFile(policy, folder),
    connections: entriesOf(file, 'connections', connections).map((entry, at) => {
      const where = `${file}: connections[${at}]`;
      const { name, url, password = null, ...options } = entry;
      if (typeof name !== 'string' || typeof url !== 'string')
        throw misuse(`${where} needs a name and a url, as texts.`);
      if (password !== null && typeof password !== 'string') throw misuse(`${where}: password must be a text.`);
      return { name, url, password, options: optionsOf(where, options, fieldOptions) as FieldOptions };
    }),
    tokens: entriesOf(file, 'tokens', tokens).map((entry, at) => {
      const where = `${file}: tokens[${at}]`;
      const { name, 'confirm-in-client': confirmInClient = false, ...options } = entry;
      if (typeof name !== 'string') throw misuse(`${where} needs a name, as a text.`);
      if (typeof confirmInClient !== 'boolean') throw misuse(`${where}: confirm-in-client must be true or false.`);
      return { name, confirmInClient, options: optionsOf(where, options, grantOptions) as GrantOptions };
    }),
    settings: Object.entries(settings).map(([key, value]) => {
      if (!['string', 'number', 'boolean'].includes(typeof value))
        throw misuse(`${file}: the setting ${key} must be a text, a number, true or false.`);
      return [key, value as string | number | boolean];
    }),
  };
}

function entriesOf(file: string, key: string, value: unknown): readonly Entry[] {
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw misuse(`${file}: ${key} must be a list of objects.`);
}

/** Each as on the command line. */
function optionsOf(
  where: string,
  given: Entry,
  known: Readonly<Record<string, { type: string; multiple?: true }>>,
): object {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      const spec = known[key];
      if (spec === undefined || key.endsWith('-stdin'))
        throw misuse(`${where}: there is no option ${JSON.stringify(key)}.`);
      if (spec.type === 'boolean' ? typeof value === 'boolean' : spec.multiple ? isTexts(value) : isPlain(value))
        return [key, spec.type === 'boolean' || spec.multiple ? value : String(value)];
      throw misuse(`${where}: ${key} has not the form that the command takes.`);
    }),
  );
}

const isPlain = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(text => typeof text === 'string');

/** @throws CliError */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw misuse(`${file} can't be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
