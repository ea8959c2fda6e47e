/**
 * A project's files that may name databases with their passwords. What is in them is offered only
 * with a person's consent; `doctor` reads them unasked, and tells no password.
 */

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../../shared/json.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import { type FoundDatabases, mergeFound, nothingFound, unusable } from './candidate.ts';
import { ofCompose } from './compose-file.ts';
import { dotenv } from './dotenv.ts';
import { expanded, type Variables } from './expanded.ts';
import { plainTextOf, textOf } from './files.ts';
import { includedIn } from './included-files.ts';
import { inJson } from './json-settings.ts';
import { leaves } from './leaves.ts';
import { ofRails, withoutRuby } from './rails-file.ts';
import { inToml, supabaseFile } from './toml-settings.ts';
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
  'appsettings.json',
  'appsettings.Development.json',
  'ormconfig.json',
  supabaseFile,
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
  const found = await inText(text, path, `in ${name}`, shell, { ...base, cwd: dirname(path) });
  if (found.candidates.length > 0 || found.unreadable.length > 0) return found;
  return unusable(
    name,
    /\.(?:[cm]?[jt]sx?|py|rb|go|exs?|kts?|java|cs|clj|rs)$/i.test(path)
      ? 'It is a program, which Sallyport does not run; give the URL of its database instead.'
      : 'It names no database that Sallyport can read.',
  );
}

async function inText(
  text: string,
  path: string,
  where: string,
  shell: Variables,
  base: PathBase,
): Promise<FoundDatabases> {
  if (/\.ya?ml$/i.test(path)) return inYaml(text, path, where, shell, base);
  if (/\.jsonc?$/i.test(path)) return inJson(text, where, shell, base);
  if (/\.php$/i.test(path)) return inVariables(definedInPhp(text), where, base);
  if (/\.toml$/i.test(path)) return inToml(text, path, where, shell, base);
  const variables = /\.properties$/i.test(path) ? properties(text) : dotenv(text);
  return inVariables(expanded(variables, shell), where, base);
}

const mostIncluded = 20;

/**
 * Docker Compose's own, Rails's or Spring's.
 * @param read the files read so far: one may include another, which includes the first.
 */
async function inYaml(
  text: string,
  path: string,
  where: string,
  shell: Variables,
  base: PathBase,
  read = new Set<string>(),
): Promise<FoundDatabases> {
  const isOfRails = path.endsWith(`/${railsFile}`);
  // Loaded on demand: a parser adds a third to a command's start.
  const { parseAllDocuments } = await import('yaml');
  try {
    // Both ways of Ruby's `if` have the same key.
    const how = { logLevel: 'silent', merge: true, uniqueKeys: !isOfRails } as const;
    const parsed = [...parseAllDocuments(isOfRails ? withoutRuby(text) : text, how)];
    if (parsed.some(({ errors }) => errors.length > 0)) return notYaml(path);
    const documents = parsed.map((document): unknown => document.toJS());
    // Compose takes values from the .env of the project's folder.
    const compose = { ...expanded(dotenv(textOf(join(base.cwd, '.env')) ?? ''), shell), ...shell };
    const included = documents.flatMap(document => includedIn(document, compose, base));
    read.add(path);
    const others = await Promise.all(
      included.map(async ({ file, folder, variables }) => {
        if (file.includes('://')) return unusable(file, 'It is elsewhere, so it is not read.');
        const beside = plainTextOf(file);
        if (beside === null) return unusable(file, "It can't be read.");
        if (read.has(file) || read.size > mostIncluded) return nothingFound;
        read.add(file);
        const given = variables.map(each => expanded(dotenv(plainTextOf(each) ?? ''), compose));
        // As in Compose, what the file that includes knows wins.
        const known = Object.assign({}, ...given, compose) as Variables;
        return inYaml(beside, file, `in ${basename(file)}`, known, { ...base, cwd: folder }, read);
      }),
    );
    return mergeFound([
      ...others,
      ...documents.map(document =>
        isObject(document) && isObject(document.services)
          ? ofCompose(document.services, compose, where, base)
          : isOfRails
            ? ofRails(document, where, { ...base, cwd: dirname(base.cwd) })
            : inVariables(expanded(Object.fromEntries(leaves(document, '')), shell), where, base),
      ),
    ]);
  } catch {
    return notYaml(path);
  }
}

function notYaml(path: string): FoundDatabases {
  return unusable(basename(path), 'It is not YAML.');
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
