/**
 * Takes a YAML text for what it plainly says: mappings, lists and scalars, each written out. What
 * says one thing to a reader and another to a parser (anchors, tags, a key twice) is refused.
 */

import type { Node } from 'yaml';

export interface YamlValue {
  readonly value: unknown;
  lineOf(field: string): number;
}

/** `why` is a clause that quotes nothing. */
export interface YamlFault {
  readonly line: number;
  readonly column: number;
  readonly why: string;
}

class Refused extends Error {
  readonly at: number;
  constructor(at: number, why: string) {
    super(why);
    this.at = at;
  }
}

export async function valueOfYaml(text: string): Promise<YamlValue | YamlFault> {
  // Loaded on demand: a parser adds a third to a command's start.
  const { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const lineAt = new Map<string, number>();

  function plainOf(node: Node | null, path: readonly string[], at: number): unknown {
    if (node === null) return null;
    const place = node.range?.[0] ?? at;
    if (isAlias(node)) throw new Refused(place, aliases);
    if ('anchor' in node && node.anchor !== undefined) throw new Refused(place, aliases);
    if (node.tag !== undefined) throw new Refused(place, 'a tag (!) has no meaning here; take it out');
    if (isSeq(node)) {
      return node.items.map((item, index) => {
        const own = item as Node | null;
        return marked([...path, String(index)], own?.range?.[0] ?? place, own);
      });
    }
    if (isMap(node)) {
      const names = new Set<string>();
      const pairs = node.items.map(({ key, value }) => {
        const named = key as Node | null;
        const keyAt = named?.range?.[0] ?? place;
        if (isAlias(named)) throw new Refused(keyAt, aliases);
        if (!isScalar(named) || typeof named.value !== 'string') throw new Refused(keyAt, 'a key is a word');
        if (named.anchor !== undefined || named.tag !== undefined) throw new Refused(keyAt, aliases);
        if (names.has(named.value)) throw new Refused(keyAt, 'a key stands here twice');
        names.add(named.value);
        return [named.value, marked([...path, named.value], keyAt, value as Node | null)] as const;
      });
      // Own members, whatever they are called.
      return Object.fromEntries(pairs);
    }
    const value = isScalar(node) ? node.value : undefined;
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    throw new Refused(place, 'a text, a number, true or false is expected');
  }

  function marked(path: readonly string[], at: number, node: Node | null): unknown {
    lineAt.set(path.join('.'), lines.linePos(at).line);
    return plainOf(node, path, at);
  }

  function fault(at: number, why: string): YamlFault {
    const { line, col } = lines.linePos(at);
    return { line: Math.max(line, 1), column: Math.max(col, 1), why };
  }

  try {
    // Its own check of keys is quadratic. A silent one leaves out what follows a second `---`.
    const how = {
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'error',
      merge: false,
      uniqueKeys: false,
    } as const;
    const document = parseDocument(text, how);
    const [first] = [...document.errors, ...document.warnings];
    if (first !== undefined) return fault(first.pos[0], whys[first.code] ?? other(first.code));
    const { yaml, tags } = document.directives ?? {};
    // By `%YAML 1.1`, 0777 is 511 and 1:30 is 90.
    if (yaml?.explicit || Object.entries(tags ?? {}).join(' ') !== standardTags)
      return fault(`\n${text}`.indexOf('\n%'), directive);
    const value = plainOf(document.contents, [], 0);
    return { value, lineOf: field => lineIn(lineAt, field) };
  } catch (error) {
    if (error instanceof Refused) return fault(error.at, error.message);
    // Its parser calls itself for each level.
    if (error instanceof RangeError) return fault(0, 'it is nested too deeply');
    throw error;
  }
}

const aliases =
  'anchors (&) and references (*) are not taken: write it out, and put a name or pattern that begins with * in quotes';

/** The parser's own, when no `%TAG` says another. */
const standardTags = '!!,tag:yaml.org,2002:';

const directive = 'a directive (%) has no meaning here; take it out';

const whys: Readonly<Record<string, string>> = {
  BAD_ALIAS: aliases,
  BAD_DIRECTIVE: directive,
  MULTIPLE_DOCS: 'a second document (---) begins here; a policy file has one',
  TAB_AS_INDENT: 'a tab stands where spaces belong',
  TAG_RESOLVE_FAILED: 'a tag (!) has no meaning here; take it out',
};

/** The parser's own sentences may quote the file. */
const other = (code: string): string => `it isn't YAML from here (${code.toLowerCase().replaceAll('_', ' ')})`;

/** Of the part, or the nearest around it. */
function lineIn(lineAt: ReadonlyMap<string, number>, field: string): number {
  const parts = field.split('.');
  for (let count = parts.length; count > 0; count -= 1) {
    const line = lineAt.get(parts.slice(0, count).join('.'));
    if (line !== undefined) return line;
  }
  return 1;
}
