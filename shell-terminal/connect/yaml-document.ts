/**
 * A client's YAML file: finds one entry, and where to change it. Edits the text at the parser's
 * positions; never prints it anew.
 */

import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  Parser,
  parseAllDocuments,
  visit,
  type YAMLMap,
} from 'yaml';
import { type ClientEntry, entryLines, entryText, yamlText } from '../../shared/client-configs.ts';
import { type MemberValue, type OpenDocument, type OpenedDocument, refused } from './document.ts';
import { type Edit, lineEndOf, placeIn } from './edits.ts';
import {
  addBelow,
  addInFlow,
  addInPlace,
  addLines,
  addMemberFirst,
  isBareEmpty,
  isEmptyNode,
  removeItem,
  replaceNode,
} from './yaml-layout.ts';

/** Levels of nesting; no client's configuration comes near. */
const deepest = 100;

export const openYaml: OpenDocument = (text, entry) => {
  if (isDeep(text)) return refused(`is nested more than ${deepest} levels deep`);
  const [document, another] = [...parseAllDocuments(text, { logLevel: 'silent' })];
  if (another !== undefined) return refused('holds several YAML documents');
  const [error] = document?.errors ?? [];
  if (error !== undefined) return refused(`is not YAML (${placeIn(text, error.pos[0])}: ${firstLine(error.message)})`);
  // The library prints such a key to name it, and all keys inside it again: 1 kB of `? ? ?` takes a
  // minute.
  if (document !== undefined && hasCollectionKey(document)) return refused('has a map or a list as the key of a map');
  const root: unknown = document?.contents ?? null;
  const absent = (add: () => Edit[]): OpenedDocument => ({
    kind: 'opened',
    document: { value: document?.toJS() ?? null, entry: undefined, add, set: () => [], remove: () => [] },
  });
  if (document === undefined || isEmptyNode(root)) return absent(() => [addAll(text, entry)]);
  if (!isMap(root)) return refused('is not a YAML map');
  const pair = memberOf(root, underOf(entry));
  if (pair === null) return absent(() => [addUnder(text, root, entry)]);
  const servers = pair.value;
  if (servers === null || isEmptyNode(servers)) return absent(() => [addBelow(text, pair.key, linesOf(entry))]);
  const isNull = isScalar(servers) && servers.value === null;
  if (!(entry.kind === 'member' ? isMap(servers) : isSeq(servers)) && !isNull)
    return refused(
      `has something other than servers under ${underOf(entry)} (${placeIn(text, servers.range?.[0] ?? 0)})`,
    );
  const found = entryIn(servers, entry);
  if (found === null && isBareEmpty(text, root, servers))
    return absent(() => addInPlace(text, pair.key, servers, linesOf(entry)));
  if (found === null) return absent(() => [addTo(text, servers, entry)]);
  return {
    kind: 'opened',
    document: {
      value: document.toJS(),
      entry: found.toJS(document),
      add: () => [],
      set: (key, value) => (isMap(found) ? setMember(text, found, key, value) : []),
      remove: isBare =>
        isMap(servers) || isSeq(servers) ? removeItem(text, root, pair.key, servers, found, isBare) : [],
    },
  };
};

/**
 * Checked before the text is composed, which recurses. If V8 compiles a regular expression at the
 * end of the stack, it ends the process instead of throwing a RangeError.
 */
function isDeep(text: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme)) {
      // The values are composed later.
    }
    if (parser.stack.length > deepest) return true;
  }
  return false;
}

function hasCollectionKey(document: Document): boolean {
  let found = false;
  visit(document, {
    Pair: (_, { key }) => {
      found = isCollection(key);
      return found ? visit.BREAK : undefined;
    },
  });
  return found;
}

/**
 * If several members share the name, or an alias holds it, `merge.ts` notices that the result
 * differs.
 */
function setMember(text: string, entry: YAMLMap, key: string, value: MemberValue): Edit[] {
  const node = memberOf(entry, key)?.value ?? null;
  if (node !== null && !isEmptyNode(node)) return [replaceNode(node, yamlText(value))];
  return [addMemberFirst(text, entry, `${key}: ${yamlText(value)}`)];
}

function addAll(text: string, entry: ClientEntry): Edit {
  const eol = lineEndOf(text);
  const missing = text === '' || text.endsWith('\n') ? '' : eol;
  return { offset: text.length, length: 0, content: `${missing}${entryText(entry).replaceAll('\n', eol)}${eol}` };
}

function addUnder(text: string, root: YAMLMap, entry: ClientEntry): Edit {
  if (root.flow) return addInFlow(root, `${underOf(entry)}: ${inFlow(entry, true)}`);
  return addLines(text, root, [`${underOf(entry)}:`, ...linesOf(entry).map(line => `  ${line}`)]);
}

function addTo(text: string, servers: Node, entry: ClientEntry): Edit {
  if (!isMap(servers) && !isSeq(servers)) return replaceNode(servers, inFlow(entry, true));
  if (servers.flow) return addInFlow(servers, inFlow(entry, false));
  return addLines(text, servers, linesOf(entry));
}

/** No client nests its servers in YAML. */
function underOf({ under: [key = ''] }: ClientEntry): string {
  return key;
}

/** JSON is valid YAML. @param whole with its braces or brackets. */
function inFlow({ kind, name, value }: ClientEntry, whole: boolean): string {
  const item = kind === 'member' ? `${name}: ${JSON.stringify(value)}` : JSON.stringify(value);
  if (!whole) return item;
  return kind === 'member' ? `{ ${item} }` : `[${item}]`;
}

function linesOf({ kind, name, value }: ClientEntry): string[] {
  return entryLines(kind, name, value);
}

function entryIn(servers: Node, { kind, name }: ClientEntry): Node | null {
  if (kind === 'member') return (isMap(servers) && memberOf(servers, name)?.value) || null;
  if (!isSeq(servers)) return null;
  return (servers.items as Node[]).find(item => isMap(item) && item.get('name') === name) ?? null;
}

function memberOf(map: YAMLMap, name: string): Pair<Node, Node | null> | null {
  const found = map.items.find(({ key }) => isScalar(key) && key.value === name);
  return (found as Pair<Node, Node | null> | undefined) ?? null;
}

/** The parser's message goes on with a drawing of the place. */
function firstLine(message: string): string {
  const [line = ''] = message.split(/ at line \d+, column|\n/);
  return line.charAt(0).toLowerCase() + line.slice(1);
}
