/**
 * Writes the Swift of the control socket's messages into Sources/ShellRules/Messages/Generated, of the shapes that the daemon checks them
 * with: its commands (daemon/shells/commands.ts), and what it answers and pushes (daemon/shells/messages). An exported shape is a type of
 * its name; any other is one inside the type that has it. `--check` writes nothing and fails where a file isn't what it would write. A
 * shape that JSON Schema or this can't say is an error.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as z from 'zod';
import { commands } from '../../daemon/shells/commands.ts';
import { pushed } from '../../daemon/shells/messages/pushed.ts';
import { capitalized, caseOf, keyOf, literalsOf, nullableOf, quoted } from './message-schemas.mjs';

const shapes = new URL('../../daemon/shells/messages/', import.meta.url);
const folder = new URL('../Sources/ShellRules/Messages/Generated/', import.meta.url);

/** By name: the schema of what a file of shapes exports, and the file's noun. */
const named = new Map();
const registry = z.registry();
for (const file of readdirSync(shapes)) {
  for (const [name, shape] of Object.entries(await import(new URL(file, shapes)))) {
    if (!(shape instanceof z.ZodType)) continue;
    registry.add(shape, { id: capitalized(name) });
    named.set(capitalized(name), { shape, noun: basename(file, '.ts') });
  }
}
for (const [name, entry] of named) entry.schema = schemaOf(entry.shape).$defs[name];
const byKey = Map.groupBy(named.keys(), name => keyOf(named.get(name).schema, named));

function schemaOf(shape) {
  return z.toJSONSchema(shape, { metadata: registry, io: 'input' });
}

/** What is written, by noun; a named type once it is used. */
const written = new Map();
const used = new Set();

function write(noun, lines) {
  written.set(noun, [...(written.get(noun) ?? []), '', ...lines]);
}

function use(name) {
  if (used.has(name)) return name;
  used.add(name);
  const { noun, schema } = named.get(name);
  write(noun, declared(name, schema));
  return name;
}

/** The Swift type of a schema. One that has no name is declared inside the type that has it, as `inside` says and under `hint`. */
function typeOf(schema, hint, inside) {
  const [same, ...others] = byKey.get(keyOf(schema, named)) ?? [];
  if (schema.$ref !== undefined) return use(schema.$ref.split('/').at(-1));
  const plain = { string: 'String', integer: 'Int', number: 'Double', boolean: 'Bool' }[schema.type];
  if (plain !== undefined && schema.enum === undefined && (schema.const === undefined || plain === 'Bool'))
    return plain;
  if (schema.type === 'array') return `[${typeOf(schema.items, hint, inside)}]`;
  const [first, second] = schema.anyOf ?? [];
  if (first?.const === 'all' && second.type === 'array') return `Reach<${typeOf(second.items, hint, inside)}>`;
  if (same !== undefined && others.length === 0) return use(same);
  inside.push(['', ...declared(hint, schema)]);
  return hint;
}

function declared(name, schema, answers = null) {
  const choices = schema.oneOf ?? schema.anyOf;
  if (schema.allOf !== undefined) return composed(name, schema.allOf);
  if (literalsOf(schema)?.every(one => typeof one === 'string')) return words(name, literalsOf(schema));
  if (literalsOf(schema) !== null) return literals(name, literalsOf(schema));
  if (choices?.every(({ type }) => ['boolean', 'integer', 'string'].includes(type))) return values(name, choices);
  if (choices !== undefined) return tagged(name, choices.map(resolved), choices, answers);
  if (schema.type === 'object' && schema.properties !== undefined) return struct(name, schema, answers);
  throw new Error(`There is no Swift for ${name}: ${JSON.stringify(schema)}`);
}

function resolved(schema) {
  return schema.$ref === undefined ? schema : named.get(schema.$ref.split('/').at(-1)).schema;
}

/** Each member as Swift has it; `isConstant` for what a tag says already. */
function membersOf({ properties, required = [] }, inside) {
  return Object.entries(properties).map(([name, schema]) => {
    const { inner, isNullable } = nullableOf(schema);
    const isOptional = !required.includes(name);
    const bare = typeOf(inner, capitalized(name), inside);
    if (isOptional && isNullable) return { name, type: `Change<${bare}>`, coded: `Change<${bare}>`, initial: '.keep' };
    if (isOptional) return { name, type: `${bare}?`, coded: bare, isOptional, initial: 'nil' };
    if (isNullable) return { name, type: `${bare}?`, coded: `OrNull<${bare}>`, isNullable, initial: 'nil' };
    return { name, type: bare, coded: bare, constant: inner.const };
  });
}

const parameter = ({ name, type, initial }) => `${name}: ${type}${initial === undefined ? '' : ` = ${initial}`}`;
const decoded = ({ name, coded, isOptional, isNullable }, from = 'members') =>
  `try ${from}.decode${isOptional ? 'IfPresent' : ''}(${coded}.self, forKey: .${quoted(name)})${isNullable ? '.wrappedValue' : ''}`;
const encoded = ({ name, isOptional, isNullable }) =>
  `try members.encode${isOptional ? 'IfPresent' : ''}(${isNullable ? `OrNull(wrappedValue: ${quoted(name)})` : quoted(name)}, forKey: .${quoted(name)})`;
const indented = lines => lines.map(line => (line === '' ? '' : `    ${line}`));
const keys = names => `private enum Member: String, CodingKey { case ${[...new Set(names)].map(quoted).join(', ')} }`;

/** On one line where it fits there with what stands around it. */
function called(before, parts, after) {
  const line = `${before}(${parts.join(', ')})${after}`;
  if (line.length <= 120) return [line];
  return [
    `${before}(`,
    ...indented(parts.map((part, at) => (at === parts.length - 1 ? part : `${part},`))),
    `)${after}`,
  ];
}

function initializer(members) {
  const given = members.filter(({ constant }) => constant === undefined);
  if (given.length === 0) return ['public init() {}'];
  return [
    ...called('public init', given.map(parameter), ' {'),
    ...indented(given.map(({ name }) => `self.${name} = ${quoted(name)}`)),
    '}',
  ];
}

function struct(name, schema, answers) {
  const inside = [];
  const members = membersOf(schema, inside);
  const isIdentified = members.some(each => each.name === 'id' && each.coded === each.type) && answers === null;
  const variables = members.map(({ name, type, isNullable, constant }) => {
    const of = constant === undefined ? `: ${type}` : ` = ${JSON.stringify(constant)}`;
    return `${isNullable ? '@OrNull ' : ''}public var ${quoted(name)}${of}`;
  });
  return [
    `public struct ${name}: ${answers === null ? `Codable, Equatable, ${isIdentified ? 'Identifiable, ' : ''}Sendable` : 'ControlCommand'} {`,
    ...indented([...(answers ?? []), ...variables, ...(members.length === 0 ? [] : ['']), ...initializer(members)]),
    ...indented(inside.flat()),
    '}',
  ];
}

function words(name, all) {
  const cases = all.map(word => (caseOf(word) === word ? quoted(word) : `${quoted(caseOf(word))} = "${word}"`));
  return [
    `public enum ${name}: String, Codable, CaseIterable, Sendable {`,
    ...indented(cases.map(each => `case ${each}`)),
    '}',
  ];
}

/** Words and numbers in one list. */
function literals(name, all) {
  const cases = all.map(one => [caseOf(String(one)), JSON.stringify(one), typeof one === 'number' ? 'Int' : 'String']);
  return [
    `public enum ${name}: Codable, CaseIterable, Hashable, Sendable {`,
    ...indented([
      ...cases.map(([each]) => `case ${each}`),
      '',
      'public init(from decoder: any Decoder) throws {',
      ...indented([
        'let container = try decoder.singleValueContainer()',
        ...cases.map(
          ([each, literal, type]) =>
            `if (try? container.decode(${type}.self)) == ${literal} { self = .${each}; return }`,
        ),
        `throw DecodingError.dataCorruptedError(in: container, debugDescription: "no ${name}")`,
      ]),
      '}',
      '',
      ...encoding([
        'var container = encoder.singleValueContainer()',
        'switch self {',
        ...cases.map(([each, literal]) => `case .${each}: try container.encode(${literal})`),
        '}',
      ]),
    ]),
    '}',
  ];
}

function returning(condition, assignment) {
  return [`${condition} {`, ...indented([assignment, 'return']), '}'];
}

function encoding(lines) {
  return ['public func encode(to encoder: any Encoder) throws {', ...indented(lines), '}'];
}

/** A value of one of several plain types, told apart by what it is. */
function values(name, choices) {
  const cases = choices.map(({ type }) => [type, { boolean: 'Bool', integer: 'Int', string: 'String' }[type]]);
  return [
    `public enum ${name}: Codable, Equatable, Sendable {`,
    ...indented([
      ...cases.map(([each, type]) => `case ${each}(${type})`),
      '',
      'public init(from decoder: any Decoder) throws {',
      ...indented([
        'let container = try decoder.singleValueContainer()',
        ...cases
          .slice(0, -1)
          .map(
            ([each, type]) => `if let value = try? container.decode(${type}.self) { self = .${each}(value); return }`,
          ),
        ...cases.slice(-1).map(([each, type]) => `self = .${each}(try container.decode(${type}.self))`),
      ]),
      '}',
      '',
      ...encoding([
        'var container = encoder.singleValueContainer()',
        'switch self {',
        ...cases.map(([each]) => `case .${each}(let value): try container.encode(value)`),
        '}',
      ]),
    ]),
    '}',
  ];
}

/** One of several objects, told apart by a member that each has another word in. A named one is a value of its type. */
function tagged(name, branches, choices, answers) {
  const inside = [];
  const tag = Object.keys(branches[0].properties).find(each =>
    branches.every(({ properties }) => properties[each] !== undefined && literalsOf(properties[each]) !== null),
  );
  if (tag === undefined) throw new Error(`Nothing tells the forms of ${name} apart: ${JSON.stringify(choices)}`);
  const cases = branches.flatMap((branch, at) => {
    const { [tag]: told, ...properties } = branch.properties;
    const type = choices[at].$ref === undefined ? null : typeOf(choices[at]);
    const members = type === null ? membersOf({ ...branch, properties }, inside) : [];
    return literalsOf(told).map(word => ({ word, called: caseOf(word, tag), type, members }));
  });
  const wordType = typeof cases[0].word === 'string' ? 'String' : 'Bool';
  const values = ({ type, members }) =>
    type === null ? members.map(({ name }) => `${name}: ${quoted(name)}`) : ['value'];
  const pattern = each =>
    values(each).length === 0 ? `.${quoted(each.called)}` : `.${quoted(each.called)}(${bound(each)})`;
  const bound = ({ type, members }) =>
    (type === null ? members.map(({ name }) => quoted(name)) : ['value']).map(one => `let ${one}`).join(', ');
  return [
    `public enum ${name}: ${answers === null ? 'Codable, Equatable, Sendable' : 'ControlCommand'} {`,
    ...indented([
      ...(answers ?? []),
      ...cases.map(({ called, type, members }) => {
        const list = type ?? members.map(parameter).join(', ');
        return `case ${quoted(called)}${list === '' ? '' : `(${list})`}`;
      }),
      '',
      keys([tag, ...cases.flatMap(({ members }) => members.map(({ name }) => name))]),
      '',
      'public init(from decoder: any Decoder) throws {',
      ...indented([
        'let members = try decoder.container(keyedBy: Member.self)',
        `switch try members.decode(${wordType}.self, forKey: .${quoted(tag)}) {`,
        ...cases.flatMap(({ word, called: made, type, members }) => {
          const given =
            type === null ? members.map(each => `${each.name}: ${decoded(each)}`) : [`try ${type}(from: decoder)`];
          const value = given.length === 0 ? [`self = .${quoted(made)}`] : called(`self = .${quoted(made)}`, given, '');
          return [`case ${JSON.stringify(word)}:`, ...indented(value)];
        }),
        ...(wordType === 'Bool'
          ? []
          : [
              'default:',
              `    throw DecodingError.dataCorruptedError(forKey: .${quoted(tag)}, in: members, debugDescription: "no ${name}")`,
            ]),
        '}',
      ]),
      '}',
      '',
      ...encoding([
        'var members = encoder.container(keyedBy: Member.self)',
        'switch self {',
        ...cases.flatMap(each => [
          `case ${pattern(each)}:`,
          ...indented([
            `try members.encode(${JSON.stringify(each.word)}, forKey: .${quoted(tag)})`,
            ...(each.type === null ? each.members.map(encoded) : ['try value.encode(to: encoder)']),
          ]),
        ]),
        '}',
      ]),
    ]),
    ...indented(inside.flat()),
    '}',
  ];
}

/** An object that is several at once: each that has a name is a member of its type, and the members of others stand beside. */
function composed(name, parts) {
  const inside = [];
  const whole = parts.filter(({ $ref }) => $ref !== undefined).map(part => typeOf(part));
  const members = parts.filter(({ $ref }) => $ref === undefined).flatMap(part => membersOf(part, inside));
  const wholes = whole.map(type => ({ name: caseOf(type), type }));
  const container = members.length === 0 ? [] : [keys(members.map(each => each.name)), ''];
  return [
    `public struct ${name}: Codable, Equatable, Sendable {`,
    ...indented([
      ...wholes.map(each => `public var ${each.name}: ${each.type}`),
      ...members.map(each => `public var ${quoted(each.name)}: ${each.type}`),
      '',
      ...container,
      ...initializer([...wholes, ...members]),
      '',
      'public init(from decoder: any Decoder) throws {',
      ...indented([
        ...wholes.map(each => `${each.name} = try ${each.type}(from: decoder)`),
        ...(members.length === 0 ? [] : ['let members = try decoder.container(keyedBy: Member.self)']),
        ...members.map(each => `${quoted(each.name)} = ${decoded(each)}`),
      ]),
      '}',
      '',
      ...encoding([
        ...wholes.map(each => `try ${each.name}.encode(to: encoder)`),
        ...(members.length === 0 ? [] : ['var members = encoder.container(keyedBy: Member.self)']),
        ...members.map(encoded),
      ]),
    ]),
    ...indented(inside.flat()),
    '}',
  ];
}

/** A command is its parameters, and knows its method and what it is answered. */
function commandOf({ name, shape, result }) {
  const inside = [];
  const answer = typeOf(schemaOf(result), 'Answer', inside);
  const own = [
    ...(inside.length === 0 ? [`public typealias Answer = ${answer}`] : [...inside.flat().slice(1), '']),
    `public static let method = ControlMethod.${caseOf(name)}`,
  ];
  const noun = ['stop', 'pause', 'resume'].includes(name) ? 'status' : name.split('.')[0];
  write(noun, ['extension Command {', ...indented(declared(capitalized(caseOf(name)), schemaOf(shape), own)), '}']);
}

/** What is pushed, told apart by its method; one of another version is `unknown`. */
function notification() {
  const inside = [];
  const cases = Object.entries(pushed).map(([method, shape]) => {
    const schema = schemaOf(shape);
    const type = schema.$ref === undefined ? null : typeOf(schema);
    return { method, called: caseOf(method), type, members: type === null ? membersOf(schema, inside) : [] };
  });
  const struct = ({ called, members }) =>
    `private struct ${capitalized(called)}: Codable { ${members.map(({ name, type }) => `var ${name}: ${type}`).join('; ')} }`;
  return [
    '/// What the daemon tells unasked. Of another version of the daemon, by its method or its form, it is `unknown`.',
    'public enum ControlNotification: Equatable, Sendable {',
    ...indented([
      ...cases.map(({ called, type, members }) => {
        const list = type ?? members.map(parameter).join(', ');
        return `case ${called}${list === '' ? '' : `(${list})`}`;
      }),
      'case unknown(method: String)',
    ]),
    '}',
    '',
    'extension ControlNotification: Codable {',
    ...indented([
      'private enum Member: String, CodingKey { case jsonrpc, method, params }',
      'private struct Empty: Codable {}',
      ...cases.filter(({ members }) => members.length > 0).map(struct),
      '',
      'public init(from decoder: any Decoder) throws {',
      ...indented([
        'let members = try decoder.container(keyedBy: Member.self)',
        'let method = try members.decode(String.self, forKey: .method)',
        'switch method {',
        ...cases.flatMap(({ method, called, type, members }) => {
          const params = `try members.decode(${type ?? capitalized(called)}.self, forKey: .params)`;
          if (type !== null) return [`case "${method}":`, ...indented([`self = .${called}(${params})`])];
          if (members.length === 0) return [`case "${method}": self = .${called}`];
          const given = members.map(({ name }) => `${name}: params.${name}`).join(', ');
          return [`case "${method}":`, ...indented([`let params = ${params}`, `self = .${called}(${given})`])];
        }),
        'default: self = .unknown(method: method)',
        '}',
      ]),
      '}',
      '',
      ...encoding([
        'var members = encoder.container(keyedBy: Member.self)',
        'try members.encode("2.0", forKey: .jsonrpc)',
        'func push(_ method: String, _ params: some Encodable) throws {',
        '    try members.encode(method, forKey: .method)',
        '    try members.encode(params, forKey: .params)',
        '}',
        'switch self {',
        ...cases.map(({ method, called, type, members }) => {
          if (type !== null) return `case .${called}(let params): try push("${method}", params)`;
          if (members.length === 0) return `case .${called}: try push("${method}", Empty())`;
          const names = members.map(({ name }) => name);
          const given = names.map(name => `${name}: ${name}`).join(', ');
          return `case .${called}(${names.map(name => `let ${name}`).join(', ')}): try push("${method}", ${capitalized(called)}(${given}))`;
        }),
        'case .unknown(let method): try members.encode(method, forKey: .method)',
        '}',
      ]),
    ]),
    '}',
  ];
}

const methods = commands.map(({ name }) => [caseOf(name), name]);
write('control', [
  'public enum ControlMethod: String, Codable, CaseIterable, Sendable {',
  ...indented(methods.map(([called, name]) => `case ${called}${called === name ? '' : ` = "${name}"`}`)),
  '}',
  '',
  ...notification(),
]);
for (const each of commands) commandOf(each);

const mark =
  '// Generated by tools/messages.mjs (`make messages`) of daemon/shells, where the comments stand. Do not edit.';
const files = new Map(
  [...written].map(([noun, lines]) => [`${capitalized(noun)}Messages.swift`, `${[mark, ...lines].join('\n')}\n`]),
);
const there = existsSync(folder) ? readdirSync(folder) : [];
const stale = [
  ...[...files].filter(([name, text]) => !there.includes(name) || readFileSync(new URL(name, folder), 'utf8') !== text),
  ...there.filter(name => !files.has(name)).map(name => [name, null]),
];
if (process.argv[2] === '--check') {
  for (const [name] of stale) {
    process.stderr.write(
      `${name} isn't what the daemon's shapes say; \`make messages\` writes the app's messages anew.\n`,
    );
  }
  if (stale.length > 0) process.exit(1);
  process.stdout.write(`messages fresh (${files.size} files of Swift)\n`);
} else {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of stale) {
    if (text === null) rmSync(new URL(name, folder));
    else writeFileSync(new URL(name, folder), text);
  }
}
