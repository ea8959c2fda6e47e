/**
 * Finds a program that takes our own English apart: a string method or a pattern that looks for
 * words of a sentence in a text of ours. What a program has to know travels as a code beside the
 * sentence (spec §11), so that a reworded sentence changes nothing but what people read.
 */

/** What a sentence is called where one is read, and what else it may be called. */
const sentences = /^(?:problem|message|note|sentence|says|why|remedy|advice|reason)$/;
const texts = /^(?:own|said|told|text|each|words)$/;
const looks = new Set(['startsWith', 'endsWith', 'includes', 'indexOf', 'lastIndexOf', 'split', 'match', 'search']);
const patternLooks = new Set(['test', 'exec']);

/** Two words in a row, or one that begins like a sentence's: no code, key, path or sign. */
const prose = /[A-Za-z']{2,} [A-Za-z']{2,}|^[A-Z][a-z]+ $/;

interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** @returns the last name of what is read: `note`, the `message` of `error.message`. */
function nameOf(node: Node | undefined): string {
  if (node?.type === 'Identifier') return String(node.value);
  if (node?.type === 'MemberExpression') return nameOf(node.property as Node);
  if (node?.type === 'OptionalChainingExpression') return nameOf(node.base as Node);
  if (node?.type === 'TsNonNullExpression') return nameOf(node.expression as Node);
  return '';
}

/** @returns null if only the running program knows them. */
function wordsOf(node: Node | undefined, constants: ReadonlyMap<string, string>): string | null {
  if (node?.type === 'StringLiteral') return String(node.value);
  if (node?.type === 'RegExpLiteral') return String(node.pattern).replace(/\\[bswdSW]/g, '');
  if (node?.type === 'Identifier') return constants.get(String(node.value)) ?? null;
  if (node?.type === 'TemplateLiteral')
    return (node.quasis as { readonly cooked: string }[]).map(({ cooked }) => cooked).join('');
  return null;
}

/**
 * @param node a call. @param constants the patterns and texts that have a name in its file.
 * @returns the words that it looks for in a text of ours; null if it does no such thing.
 */
export function ownWordsIn(node: Node, constants: ReadonlyMap<string, string>): string | null {
  if (node.type !== 'CallExpression') return null;
  const callee = node.callee as Node;
  const member = (callee.type === 'OptionalChainingExpression' ? callee.base : callee) as Node;
  if (member.type !== 'MemberExpression') return null;
  const method = nameOf(member.property as Node);
  const argument = (node.arguments as { readonly expression: Node }[])[0]?.expression;
  const [read, sought] = patternLooks.has(method)
    ? [argument, member.object as Node]
    : looks.has(method)
      ? [member.object as Node, argument]
      : [undefined, undefined];
  const name = nameOf(read);
  const words = wordsOf(sought, constants);
  // A table of patterns is known only by what it is held against.
  if (words === null) return sentences.test(name) && patternLooks.has(method) ? 'patterns' : null;
  return (sentences.test(name) || texts.test(name)) && prose.test(words) ? words : null;
}
