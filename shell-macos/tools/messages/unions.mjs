/**
 * The Swift of one of several objects, told apart by a member that has another word in each. A
 * named one is a value of its type.
 */

import { caseOf, literalsOf } from './schemas.mjs';
import {
  called,
  caseLine,
  decoded,
  decoding,
  encoded,
  encoding,
  indented,
  memberKeys,
  parameter,
  quoted,
} from './text.mjs';

export function tagged(types, name, choices, command) {
  const inside = [];
  const branches = choices.map(choice => types.resolved(choice));
  const tag = tagOf(branches);
  if (tag === undefined) throw new Error(`Nothing tells the forms of ${name} apart: ${JSON.stringify(choices)}`);
  const cases = branches.flatMap((branch, at) => {
    const { [tag]: told, ...properties } = branch.properties;
    const type = choices[at].$ref === undefined ? null : types.typeOf(choices[at]);
    const members = type === null ? types.membersOf({ ...branch, properties }, inside) : [];
    return literalsOf(told).map(word => ({ word, name: caseOf(word, tag), type, members }));
  });
  const names = cases.flatMap(({ members }) => members.map(each => each.name));
  const isFlag = cases.every(({ word }) => typeof word === 'boolean');
  return [
    `public enum ${name}: ${command === null ? 'Codable, Equatable, Sendable' : 'ControlCommand'} {`,
    ...indented([
      ...(command ?? []),
      ...cases.map(({ name, type, members }) => caseLine(name, type ?? members.map(parameter).join(', '))),
      '',
      memberKeys([tag, ...names]),
      '',
      ...decoding([
        'let members = try decoder.container(keyedBy: Member.self)',
        `switch try members.decode(${isFlag ? 'Bool' : 'String'}.self, forKey: .${quoted(tag)}) {`,
        ...cases.flatMap(each => [`case ${JSON.stringify(each.word)}:`, ...indented(read(each))]),
        ...(isFlag ? [] : ['default:', ...indented([unknown(tag, name)])]),
        '}',
      ]),
      '',
      ...encoding([
        'var members = encoder.container(keyedBy: Member.self)',
        'switch self {',
        ...cases.flatMap(each => [`case ${pattern(each)}:`, ...indented(written(each, tag))]),
        '}',
      ]),
      ...inside,
    ]),
    '}',
  ];
}

function tagOf(branches) {
  const isTag = (name, { properties }) => properties?.[name] !== undefined && literalsOf(properties[name]) !== null;
  return Object.keys(branches[0].properties ?? {}).find(name => branches.every(branch => isTag(name, branch)));
}

function read({ name, type, members }) {
  const given = type === null ? members.map(each => `${each.name}: ${decoded(each)}`) : [`try ${type}(from: decoder)`];
  return given.length === 0 ? [`self = .${quoted(name)}`] : called(`self = .${quoted(name)}`, given);
}

function unknown(tag, name) {
  return `throw DecodingError.dataCorruptedError(forKey: .${quoted(tag)}, in: members, debugDescription: "no ${name}")`;
}

function pattern({ name, type, members }) {
  const bound = type === null ? members.map(each => quoted(each.name)) : ['value'];
  return `.${quoted(name)}${bound.length === 0 ? '' : `(${bound.map(one => `let ${one}`).join(', ')})`}`;
}

function written({ word, type, members }, tag) {
  const rest = type === null ? members.map(encoded) : ['try value.encode(to: encoder)'];
  return [`try members.encode(${JSON.stringify(word)}, forKey: .${quoted(tag)})`, ...rest];
}
