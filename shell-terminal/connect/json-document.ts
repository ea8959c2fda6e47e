/**
 * A client's JSON file, which may have comments and trailing commas: finds one entry, and where to
 * change it.
 */

import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { within } from '../../shared/client-configs.ts';
import { type MemberValue, type OpenDocument, refused } from './document.ts';
import { type Edit, lineEndOf, placeIn } from './edits.ts';
import { addMember, removeMember, removeWithHolder, replaceValue, wholeFile } from './json-layout.ts';

export const openJson: OpenDocument = (text, { under, name, value }) => {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined)
    return refused(`is not JSON (${placeIn(text, error.offset)}: ${inWords(printParseErrorCode(error.error))})`);
  if (root === undefined) {
    const add = () => [
      { offset: text.length, length: 0, content: afterComments(text, within(under, { [name]: value })) },
    ];
    return { kind: 'opened', document: { value: null, entry: undefined, add, set: () => [], remove: () => [] } };
  }
  if (root.type !== 'object') return refused(`is not a JSON object (${placeIn(text, root.offset)})`);
  const { node: holder, missing } = holderOf(root, under);
  if (holder.type !== 'object')
    return refused(`has something other than servers under ${under.join('.')} (${placeIn(text, holder.offset)})`);
  const found = missing.length > 0 ? undefined : findNodeAtLocation(holder, [name]);
  return {
    kind: 'opened',
    document: {
      value: plain(root),
      entry: found === undefined ? undefined : plain(found),
      add: () => {
        const [key = name, ...inner] = [...missing, name];
        return addMember(text, holder, key, within(inner, value));
      },
      set: (key, member) => (found === undefined ? [] : setMember(text, found, key, member)),
      remove: isBare => {
        if (found?.parent === undefined) return [];
        return (isBare ? null : removeWithHolder(text, found.parent)) ?? removeMember(text, found.parent);
      },
    },
  };
};

/** As far as the keys lead, and those that aren't there. */
function holderOf(root: Node, under: readonly string[]): { readonly node: Node; readonly missing: readonly string[] } {
  for (let depth = under.length; depth > 0; depth -= 1) {
    const node = findNodeAtLocation(root, under.slice(0, depth));
    if (node !== undefined) return { node, missing: under.slice(depth) };
  }
  return { node: root, missing: under };
}

/**
 * The value in the form of `JSON.parse`: the parser's objects have no prototype, which a comparison
 * takes for a difference.
 */
function plain({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(plain);
  if (type !== 'object') return value;
  return Object.fromEntries(
    children.map(({ children: [key, member] = [] }) => [key?.value, member === undefined ? undefined : plain(member)]),
  );
}

function setMember(text: string, entry: Node, key: string, value: MemberValue): Edit[] {
  const node = findNodeAtLocation(entry, [key]);
  return node === undefined ? addMember(text, entry, key, value) : [replaceValue(text, node, value)];
}

function afterComments(text: string, value: unknown): string {
  const whole = wholeFile(value, text);
  const eol = lineEndOf(text);
  return `${text === '' || text.endsWith('\n') ? '' : eol}${whole}${eol}`;
}

/** `CommaExpected` */
function inWords(code: string): string {
  return code.replace(/\B[A-Z]/g, letter => ` ${letter}`).toLowerCase();
}
