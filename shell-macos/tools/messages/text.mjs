/**
 * Swift as lines: indented, calls with many parts, and the pieces that each type of a message has.
 */

const keywords = new Set(
  'as break case catch class default defer do else enum extension false for func guard if import in init internal is let nil operator private protocol public repeat return self static struct subscript super switch throw throws true try var where while'.split(
    ' ',
  ),
);

/** A name in Swift, in backticks if it would be a word of the language. */
export function quoted(name) {
  return keywords.has(name) ? `\`${name}\`` : name;
}

export function capitalized(name) {
  return `${name[0].toUpperCase()}${name.slice(1)}`;
}

export function indented(lines) {
  return lines.map(line => (line === '' ? '' : `    ${line}`));
}

/** On one line if it fits there with what stands around it. */
export function called(before, parts, after = '') {
  const line = `${before}(${parts.join(', ')})${after}`;
  if (line.length <= 110) return [line];
  return [
    `${before}(`,
    ...indented(parts.map((part, at) => (at === parts.length - 1 ? part : `${part},`))),
    `)${after}`,
  ];
}

export function decoding(lines) {
  return ['public init(from decoder: any Decoder) throws {', ...indented(lines), '}'];
}

export function encoding(lines) {
  return ['public func encode(to encoder: any Encoder) throws {', ...indented(lines), '}'];
}

export function caseLine(name, list) {
  return `case ${quoted(name)}${list === '' ? '' : `(${list})`}`;
}

/** A member as an initializer and a case take it. */
export function parameter({ name, type, initial }) {
  return `${name}: ${type}${initial === undefined ? '' : ` = ${initial}`}`;
}

export function initializer(members) {
  const given = members.filter(({ constant }) => constant === undefined);
  if (given.length === 0) return ['public init() {}'];
  const lines = given.map(({ name }) => `self.${name} = ${quoted(name)}`);
  return [...called('public init', given.map(parameter), ' {'), ...indented(lines), '}'];
}

export function decoded({ name, coded, isOptional, isNullable }) {
  const how = isOptional ? 'decodeIfPresent' : 'decode';
  return `try members.${how}(${coded}.self, forKey: .${quoted(name)})${isNullable ? '.wrappedValue' : ''}`;
}

export function encoded({ name, isOptional, isNullable }) {
  const value = isNullable ? `OrNull(wrappedValue: ${quoted(name)})` : quoted(name);
  return `try members.${isOptional ? 'encodeIfPresent' : 'encode'}(${value}, forKey: .${quoted(name)})`;
}

export function memberKeys(names) {
  return `private enum Member: String, CodingKey { case ${[...new Set(names)].map(quoted).join(', ')} }`;
}
