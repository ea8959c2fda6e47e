/**
 * A client's JSON file, which may have comments and trailing commas: finds one entry, and where to
 * change it.
 */

import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
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
      { offset: text.length, length: 0, content: afterComments(text, { [under]: { [name]: value } }) },
    ];
    return { kind: 'opened', document: { value: null, entry: undefined, add, set: () => [], remove: () => [] } };
  }
  if (root.type !== 'object') return refused(`is not a JSON object (${placeIn(text, root.offset)})`);
  const servers = findNodeAtLocation(root, [under]);
  if (servers !== undefined && servers.type !== 'object')
    return refused(`has something other than servers under ${under} (${placeIn(text, servers.offset)})`);
  const found = servers === undefined ? undefined : findNodeAtLocation(servers, [name]);
  return {
    kind: 'opened',
    document: {
      value: plain(root),
      entry: found === undefined ? undefined : plain(found),
      add: () =>
        servers === undefined ? addMember(text, root, under, { [name]: value }) : addMember(text, servers, name, value),
      set: (key, member) => (found === undefined ? [] : setMember(text, found, key, member)),
      remove: () =>
        found?.parent === undefined ? [] : (removeWithHolder(text, found.parent) ?? removeMember(text, found.parent)),
    },
  };
};

/**
 * In the form of `JSON.parse`: the parser's objects have no prototype, which a comparison takes for
 * a difference.
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
