/**
 * What an entry of a client's file reaches: a database, a cloud's project, a server on the
 * internet, or a database that can't be seen from here. This judges values; it opens nothing.
 */

import { basename } from 'node:path';
import { isConnectionText } from '../../shared/connection-url.ts';
import type { PathBase } from '../../shared/url-parts.ts';
import {
  type Candidate,
  type FoundDatabases,
  mergeFound,
  nameFor,
  nothingFound,
  unusable,
} from '../setup/candidate.ts';
import { expanded, type Variables } from '../setup/expanded.ts';
import { connectionOfParts, engineMeant } from '../setup/parts.ts';
import { inVariables } from '../setup/variables.ts';
import { cloudAt, type Product, productNamed } from './packages.ts';
import { type Started, startedBy } from './started.ts';
import { urlsIn } from './urls.ts';

export type Reach =
  | { readonly kind: 'database'; readonly candidate: Candidate }
  /** Reached by a cloud's own interface. @property project null if the entry doesn't name it. */
  | { readonly kind: 'cloud'; readonly cloud: string; readonly project: string | null }
  /** An MCP server elsewhere, which reaches a database from there. */
  | { readonly kind: 'remote'; readonly cloud: string | null; readonly host: string }
  | { readonly kind: 'unsupported'; readonly database: string }
  /** A database, but which one isn't known. @property why a sentence, or null if nothing tells. */
  | { readonly kind: 'unseen'; readonly why: string | null };

export interface Reached {
  /** The server's package or program, for people. */
  readonly by: string;
  readonly reaches: readonly Reach[];
}

/**
 * The variables that the client hands on to what it starts. A project's file may be a stranger's,
 * who could have the value of a variable sent to a server of theirs. So in an entry of such a file
 * a variable counts only if its value is a whole database URL, which says itself where it may go.
 * The same holds for variables of a file that the entry names, which may be the person's own; but
 * those also count together with a host in the same file.
 */
export interface Outer {
  readonly variables: Variables;
  readonly isStrangers: boolean;
}

/** Reads a file that an entry names; null if it can't be read. */
export type ReadNamed = (path: string) => Reading | null;
export interface Reading {
  readonly variables: Variables;
  /** What the file holds, if it is YAML or TOML. */
  readonly value: unknown;
}

/**
 * Judges an entry. Sallyport's own entry names no database, so it needs no exception, and no other
 * entry can pass itself off as it.
 * @param name of the entry.
 * @param from where the entry was found, for the end of a sentence.
 * @returns null if it reaches no database, as far as this can be seen.
 */
export function reachedBy(
  name: string,
  entry: Readonly<Record<string, unknown>>,
  from: string,
  { outer, base, read }: { readonly outer: Outer; readonly base: PathBase; readonly read: ReadNamed },
): Reached | null {
  const started = startedBy(entry);
  // A client's own extension names no program.
  const programs = started.programs.length === 0 ? [name] : started.programs;
  const product = programs.map(productNamed).find(found => found !== null) ?? null;
  if (started.url !== null) return remotely(name, started.url);
  const by = product?.name ?? programNamed(started);
  const options = optionsIn(started.words);
  if (product !== null && typeof product.reaches === 'object')
    return { by, reaches: [beyond(product.reaches, started, options)] };
  const google = /^(?:cloud-sql|alloydb|spanner|bigquery|firestore)/.test(options.named.PREBUILT ?? '');
  if (google) return { by, reaches: [{ kind: 'cloud', cloud: 'Google Cloud', project: null }] };
  const files = [...started.variableFiles, ...configFiles(product, options)].map(path => read(path));
  const texts = files.map(file => file?.variables ?? {});
  const inTexts: Variables = Object.assign({}, ...texts);
  const { isStrangers } = outer;
  const all: Outer = isStrangers ? { isStrangers, variables: { ...inTexts, ...outer.variables } } : outer;
  const sources = [
    ...(isStrangers
      ? texts.map(variables => given({ ...started, programs: [], variables }, nothingElse, product, outer))
      : []),
    given(
      isStrangers ? started : { ...started, variables: { ...inTexts, ...started.variables } },
      options,
      product,
      all,
    ),
  ];
  const known = isStrangers ? started.variables : { ...outer.variables, ...inTexts, ...started.variables };
  const found = withDockersHost(
    mergeFound([
      ...sources.map(variables => databasesIn(variables, from, base, product)),
      ...files.map(file => inConfig(file?.value, { from, base, known })),
    ]),
    started,
  );
  const reaches: Reach[] = [
    ...found.candidates.map(candidate => ({ kind: 'database' as const, candidate })),
    ...found.unreadable.map(({ problem }) => ({ kind: 'unseen' as const, why: problem })),
  ];
  if (reaches.length > 0) return { by, reaches };
  if (product === null) return null;
  const unread = files.includes(null) ? 'A file that it names can’t be read.' : null;
  return { by, reaches: [{ kind: 'unseen', why: unread }] };
}

/** The program's name for people; never a word that may hold a password. */
function programNamed({ programs }: Started): string {
  const name = basename(programs.at(-1) ?? '');
  return /^[\w.+-]{1,64}$/.test(name) ? name : 'a program';
}

function remotely(name: string, url: string): Reached | null {
  const host = URL.parse(url)?.hostname ?? '';
  const cloud = cloudAt(host);
  const isMeant = cloud !== null || /postgres|mysql|maria|sqlite|database|(?:^|[-_ ])(?:db|sql)(?:[-_ ]|$)/i.test(name);
  return isMeant && host !== '' ? { by: host, reaches: [{ kind: 'remote', cloud, host }] } : null;
}

function beyond(reaches: object, { words, variables }: Started, { named }: Options): Reach {
  if ('unsupported' in reaches) return { kind: 'unsupported', database: String(reaches.unsupported) };
  const cloud = 'cloud' in reaches ? String(reaches.cloud) : '';
  // A word without an option's name is never taken: it may be a key, as in `start API_KEY`.
  const project = named.PROJECT_REF ?? variables.SUPABASE_PROJECT_REF ?? named.RESOURCE_ARN ?? named.CLUSTER_ENDPOINT;
  return { kind: 'cloud', cloud, project: words.length > 0 ? (project ?? null) : null };
}

interface Options {
  /** Options with a value, by name: `--db-path X` is `DB_PATH`. */
  readonly named: Variables;
  /** The other words. */
  readonly others: readonly string[];
}

const nothingElse: Options = { named: {}, others: [] };

function optionsIn(words: readonly string[]): Options {
  const named: Record<string, string> = {};
  const others: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [, name = '', equals, value = ''] = /^--?([a-z][\w-]*)(=)?([\s\S]*)$/i.exec(words[at] ?? '') ?? [];
    const next = words[at + 1];
    const isAlone = equals === undefined && (value !== '' || next === undefined || /^-[^\d]/.test(next));
    if (name === '') others.push(words[at] ?? '');
    else if (isAlone && engineMeant(name) !== null) named.DB_TYPE = name;
    else if (!isAlone)
      named[name.toUpperCase().replaceAll('-', '_')] = equals === undefined ? (words[++at] ?? '') : value;
  }
  return { named, others };
}

/** The names of a database's parts, as programs name their options and a few their variables. */
const parts = /^(?:HOST|HOSTNAME|PORT|SOCKET|USER|USERNAME|PASSWORD|PASS|DATABASE|DBNAME|DB)$/;

/** Everything of an entry that may name a database, as variables. */
function given(
  { variables, programs }: Started,
  { named, others }: Options,
  product: Product | null,
  { variables: outer, isStrangers }: Outer,
): Variables {
  const all: Variables = { ...variables, ...named };
  const isKnown = product !== null;
  const renamed = Object.entries(all).flatMap(([name, value = ''], at): [string, string][] => {
    const reference = withPlainReferences(value);
    const [, asked = '', otherwise] = /^\$\{?(\w+)(?::?-([^{}]*))?\}?$/.exec(reference) ?? [];
    const whole = outer[asked] ?? otherwise;
    if (whole !== undefined && isConnectionText(whole)) return [[`REFERENCE_${at}`, whole]];
    if (isConnectionText(reference.trim())) return [[name, reference]];
    const urls = urlsIn(reference);
    if (urls.length > 0) return urls.map((url, index) => [`${name}_${index}`, url]);
    return [[isKnown && parts.test(name) ? `DB_${name}` : name, reference]];
  });
  const texts = [...others, ...programs]
    .map(withPlainReferences)
    .flatMap(word => (isConnectionText(word) || (isKnown && sqliteEnding.test(word)) ? [word] : urlsIn(word)));
  const engine = typeof product?.reaches === 'string' && product.reaches !== 'any' ? product.reaches : undefined;
  return expanded(
    {
      ...Object.fromEntries(renamed),
      ...(isKnown && engine !== undefined && { DB_TYPE: engine }),
      ...Object.fromEntries(texts.map((url, at) => [`ARGUMENT_${at + 1}`, url])),
    },
    isStrangers ? {} : outer,
  );
}

/** Writes `${env:X}` as `${X}`. What the client asks a person for, `${input:x}`, is never set. */
function withPlainReferences(value: string): string {
  return value
    .replace(/\$\{env:(\w+)\}|\{env:(\w+)\}/g, (_, one?: string, two?: string) => `\${${one ?? two}}`)
    .replace(/\$\{\w+:(?!-)[^{}]*\}/g, () => '$'.concat('{not.set}'));
}

const sqliteEnding = /\.(?:db|sqlite3?|s3db)$/i;

function databasesIn(variables: Variables, from: string, base: PathBase, product: Product | null): FoundDatabases {
  const found = inVariables(variables, '', base);
  const isFile = product?.reaches === 'sqlite' || product?.reaches === 'any';
  const paths = isFile
    ? Object.values(variables).filter((path = '') => sqliteEnding.test(path) && !path.includes('://'))
    : [];
  const files = [...new Set(paths)].map((path = ''): FoundDatabases => {
    const connection = connectionOfParts({ engine: 'sqlite', database: path }, base);
    if (connection.kind === 'refused') return nothingFound;
    return { candidates: [{ name: nameFor(connection.endpoint), from, connection }], unreadable: [] };
  });
  const merged = mergeFound([found, ...files]);
  return { ...merged, candidates: merged.candidates.map(candidate => ({ ...candidate, from })) };
}

/** The files that MCP Toolbox, dbhub and others name by an option. */
function configFiles(product: Product | null, { named }: Options): readonly string[] {
  if (product === null) return [];
  const { TOOLS_FILE, TOOLS_FILES, CONFIG, CONFIG_FILE, C } = named;
  return [TOOLS_FILE, ...(TOOLS_FILES?.split(',') ?? []), CONFIG, CONFIG_FILE, C].filter(path => path !== undefined);
}

const deepest = 6;

/** Keys that show that a map in such a file is about a database, of whatever kind. */
const places = /^(?:(?:DB_)?(?:HOST|HOSTNAME)|DSN|URI|CONNECTION_?STRING|PROJECT|ACCOUNT)$/;

interface Config {
  readonly from: string;
  readonly base: PathBase;
  /** The variables that the file may refer to. */
  readonly known: Variables;
}

/** The databases in such a file: each map in it that has a server's parts, or a DSN. */
function inConfig(value: unknown, config: Config, depth = 0): FoundDatabases {
  if (depth > deepest || typeof value !== 'object' || value === null) return nothingFound;
  const inner = Object.values(value).map(each => inConfig(each, config, depth + 1));
  const { from, base, known } = config;
  if (Array.isArray(value)) return mergeFound(inner);
  const map = value as Readonly<Record<string, unknown>>;
  const [kind = ''] = [map.type, map.kind, map.engine].filter(text => typeof text === 'string');
  const engine = map.project === undefined || map.host !== undefined ? engineMeant(kind) : null;
  const texts = Object.entries(map).filter(([, text]) => typeof text === 'string' || typeof text === 'number');
  const written = Object.fromEntries(
    texts.map(([key, text]) => {
      const name = key.toUpperCase().replaceAll('-', '_');
      return [parts.test(name) ? `DB_${name}` : name, String(text)];
    }),
  );
  // A map with an id needs no second name for itself, so its `name` is the database's.
  const isNamed = written.ID !== undefined && written.NAME !== undefined && !Object.hasOwn(map, 'database');
  const variables = expanded({ ...written, ...(isNamed && { DB_NAME: written.NAME }) }, known);
  const isMeant =
    engine !== null || Object.values(variables).some(value => value !== undefined && isConnectionText(value));
  const isOther = !isMeant && kind !== '' && Object.keys(variables).some(name => places.test(name));
  if (isOther) return mergeFound([unusable(from, 'A file that it names has a database of another kind.'), ...inner]);
  const own = isMeant ? databasesIn({ DB_TYPE: engine ?? '', ...variables }, from, base, null) : nothingFound;
  return mergeFound([own, ...inner]);
}

/** Writes a container's name for this machine as an address that is right outside of it. */
function withDockersHost(found: FoundDatabases, { isContained }: Started): FoundDatabases {
  if (!isContained) return found;
  const candidates = found.candidates.map(candidate => {
    const { endpoint } = candidate.connection;
    const isHere = endpoint.host === 'host.docker.internal' || endpoint.host === 'host.containers.internal';
    const host = isHere ? '127.0.0.1' : endpoint.host;
    return { ...candidate, connection: { ...candidate.connection, endpoint: { ...endpoint, host } } };
  });
  return { ...found, candidates };
}
