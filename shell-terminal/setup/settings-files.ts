/**
 * A project's files that may name databases with their passwords. What is in them is offered only
 * with a person's consent; `doctor` reads them unasked, and tells no password.
 */

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { isObject } from '../../shared/json.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { type FoundDatabases, mergeFound, unusable } from './candidate.ts';
import { ofCompose } from './compose-file.ts';
import { expanded, type Variables } from './expanded.ts';
import { textOf } from './files.ts';
import { ofRails, withoutRuby } from './rails-file.ts';
import { inVariables } from './variables.ts';

const dotenvs = ['.env', '.env.local', '.env.development', '.env.development.local'];
const railsFile = 'config/database.yml';
const usual = [
  ...dotenvs,
  'compose.yaml',
  'compose.yml',
  'docker-compose.yaml',
  'docker-compose.yml',
  'wp-config.php',
  railsFile,
  ...['properties', 'yaml', 'yml'].flatMap(ending => [
    `application.${ending}`,
    `src/main/resources/application.${ending}`,
  ]),
];

export function settingsFilesIn(folder: string): readonly string[] {
  return usual.filter(name => existsSync(join(folder, name)));
}

/** @param name as the person typed it. @returns null if the file can't be read. */
export async function inSettingsFile(
  path: string,
  name: string,
  shell: Variables,
  base: PathBase,
): Promise<FoundDatabases | null> {
  const text = textOf(path);
  if (text === null) return null;
  const beside = { ...base, cwd: dirname(path) };
  const where = `in ${name}`;
  if (/\.ya?ml$/i.test(path)) return inYaml(text, path, where, shell, beside);
  if (/\.php$/i.test(path)) return inVariables(definedInPhp(text), where, beside);
  const variables = /\.properties$/i.test(path) ? properties(text) : (parseEnv(text) as Variables);
  return inVariables(expanded(variables, shell), where, beside);
}

/** Docker Compose's own, Rails's or Spring's. */
async function inYaml(
  text: string,
  path: string,
  where: string,
  shell: Variables,
  base: PathBase,
): Promise<FoundDatabases> {
  const isOfRails = path.endsWith(`/${railsFile}`);
  // Loaded on demand: a parser adds a third to a command's start.
  const { parseAllDocuments } = await import('yaml');
  try {
    const parsed = [...parseAllDocuments(isOfRails ? withoutRuby(text) : text, { logLevel: 'silent', merge: true })];
    if (parsed.some(({ errors }) => errors.length > 0)) return notYaml(path);
    const documents = parsed.map((document): unknown => document.toJS());
    // Compose takes values from the .env beside it.
    const dotenv = parseEnv(textOf(join(dirname(path), '.env')) ?? '') as Variables;
    return mergeFound(
      documents.map(document =>
        isObject(document) && isObject(document.services)
          ? ofCompose(document.services, { ...expanded(dotenv, shell), ...shell }, where, base)
          : isOfRails
            ? ofRails(document, where, { ...base, cwd: dirname(base.cwd) })
            : inVariables(expanded(Object.fromEntries(leaves(document, '')), shell), where, base),
      ),
    );
  } catch {
    return notYaml(path);
  }
}

function notYaml(path: string): FoundDatabases {
  return unusable(basename(path), 'It is not YAML.');
}

const deepest = 12;

/** `spring: { datasource: { url } }` as `spring.datasource.url`. */
function leaves(value: unknown, name: string): readonly (readonly [name: string, value: string])[] {
  if (typeof value === 'string' || typeof value === 'number') return name === '' ? [] : [[name, `${value}`]];
  if (!isObject(value) || name.split('.').length > deepest) return [];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, name === '' ? key : `${name}.${key}`));
}

/** Java's format: a name ends at `=`, `:` or a blank. */
function properties(text: string): Variables {
  const lines = text.split(/\r?\n/).map(line => line.trim());
  return Object.fromEntries(
    lines.flatMap(line => {
      const at = line.search(/[=:\s]/);
      if (at < 1 || /^[#!]/.test(line)) return [];
      const behind = line.slice(at).trim();
      return [[line.slice(0, at), /^[=:]/.test(behind) ? behind.slice(1).trim() : behind] as const];
    }),
  );
}

/** WordPress's `define( 'DB_NAME', 'shop' );`, one per line. */
function definedInPhp(text: string): Variables {
  const variables = text.split('\n').flatMap(line => {
    const name = line.trim().startsWith('define') ? /['"](DB_[A-Z]+)['"]/.exec(line)?.[1] : undefined;
    const value = line.slice(line.indexOf(',') + 1).trim();
    // A value that the program computes as it runs.
    if (name !== undefined && !/^['"]/.test(value)) return [[name, '$'.concat('{php}')] as const];
    const end = value.lastIndexOf(value.charAt(0));
    return name === undefined || end < 1 ? [] : [[name, value.slice(1, end).replace(/\\(.)/g, '$1')] as const];
  });
  return { ...Object.fromEntries(variables), WP_CONFIG: 'wp-config.php' };
}
