/**
 * The Swift of values that are one of several without members: words, words and numbers, and plain
 * types.
 */

import { caseOf } from './schemas.mjs';
import { decoding, encoding, indented, quoted } from './text.mjs';

export function words(name, all) {
  const cases = all.map(word => (caseOf(word) === word ? quoted(word) : `${quoted(caseOf(word))} = "${word}"`));
  return enumOf(`${name}: String, Codable, CaseIterable, Sendable`, cases, []);
}

/** Words and numbers in one list. */
export function literals(name, all) {
  const cases = all.map(one => ({
    called: caseOf(String(one)),
    literal: JSON.stringify(one),
    type: typeof one === 'number' ? 'Int' : 'String',
  }));
  return enumOf(
    `${name}: Codable, CaseIterable, Hashable, Sendable`,
    cases.map(({ called }) => called),
    [
      ...decoding([
        'let container = try decoder.singleValueContainer()',
        ...cases.flatMap(({ called, literal, type }) =>
          returning(`if (try? container.decode(${type}.self)) == ${literal}`, `self = .${called}`),
        ),
        `throw DecodingError.dataCorruptedError(in: container, debugDescription: "no ${name}")`,
      ]),
      '',
      ...single(cases.map(({ called, literal }) => `case .${called}: try container.encode(${literal})`)),
    ],
  );
}

/** A value of one of several plain types, told apart by its type. */
export function values(name, types) {
  const swift = { boolean: 'Bool', integer: 'Int', string: 'String' };
  const last = types.at(-1);
  return enumOf(
    `${name}: Codable, Equatable, Sendable`,
    types.map(type => `${type}(${swift[type]})`),
    [
      ...decoding([
        'let container = try decoder.singleValueContainer()',
        ...types
          .slice(0, -1)
          .flatMap(type =>
            returning(`if let value = try? container.decode(${swift[type]}.self)`, `self = .${type}(value)`),
          ),
        `self = .${last}(try container.decode(${swift[last]}.self))`,
      ]),
      '',
      ...single(types.map(type => `case .${type}(let value): try container.encode(value)`)),
    ],
  );
}

function enumOf(head, cases, coding) {
  const lines = [...cases.map(each => `case ${each}`), ...(coding.length === 0 ? [] : ['', ...coding])];
  return [`public enum ${head} {`, ...indented(lines), '}'];
}

function returning(condition, assignment) {
  return [`${condition} {`, ...indented([assignment, 'return']), '}'];
}

function single(cases) {
  return encoding(['var container = encoder.singleValueContainer()', 'switch self {', ...cases, '}']);
}
