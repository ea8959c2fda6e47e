/**
 * The Swift types of schemas. A type that a file of shapes exports has its name, and is written
 * once it is used. Any other is written inside the type that has it. A schema that Swift can't
 * express is an error.
 */

import * as z from 'zod';
import { literals, values, words } from './enums.mjs';
import { caseOf, keyOf, literalsOf, nullableOf } from './schemas.mjs';
import {
  capitalized,
  decoded,
  decoding,
  encoded,
  encoding,
  indented,
  initializer,
  memberKeys,
  quoted,
} from './text.mjs';
import { tagged } from './unions.mjs';

export class SwiftTypes {
  #registry = z.registry();
  #named = new Map();
  #byKey;
  #requests;
  #used = new Set();
  #write;

  /**
   * @param nouns the shapes that each file exports, by the file's noun.
   * @param write gets a named type's lines, and its noun.
   * @param commands an answer may hold the parameters of one.
   */
  constructor(nouns, write, commands) {
    this.#write = write;
    for (const [noun, shapes] of Object.entries(nouns)) {
      for (const [name, shape] of Object.entries(shapes)) {
        if (!(shape instanceof z.ZodType)) continue;
        this.#registry.add(shape, { id: capitalized(name) });
        this.#named.set(capitalized(name), { noun, shape });
      }
    }
    for (const [name, entry] of this.#named) entry.schema = this.schemaOf(entry.shape).$defs[name];
    this.#requests = new Map(
      commands.map(({ name, shape }) => [this.#keyOf(this.schemaOf(shape)), `Command.${capitalized(caseOf(name))}`]),
    );
    this.#byKey = Map.groupBy(this.#named.keys(), name => this.#keyOf(this.#named.get(name).schema));
  }

  /** @throws for a shape that JSON Schema can't express. */
  schemaOf(shape) {
    return z.toJSONSchema(shape, { metadata: this.#registry, io: 'input' });
  }

  /**
   * @param hint the type's name if it has none of its own.
   * @param inside gets the type's lines then.
   */
  typeOf(schema, hint, inside) {
    if (schema.$ref !== undefined) return this.#use(nameIn(schema));
    const plain = { string: 'String', integer: 'Int', number: 'Double', boolean: 'Bool' }[schema.type];
    const isOpen = schema.enum === undefined && (schema.const === undefined || plain === 'Bool');
    if (plain !== undefined && isOpen) return plain;
    if (schema.type === 'array') return `[${this.typeOf(schema.items, hint, inside)}]`;
    if (schema.propertyNames !== undefined)
      return `[String: ${this.typeOf(schema.additionalProperties, hint, inside)}]`;
    const [first, second] = schema.anyOf ?? [];
    if (first?.const === 'all' && second.type === 'array') return `Reach<${this.typeOf(second.items, hint, inside)}>`;
    const request = this.#requests.get(this.#keyOf(schema));
    if (request !== undefined) return request;
    const [same, ...others] = this.#byKey.get(this.#keyOf(schema)) ?? [];
    if (same !== undefined && others.length === 0) return this.#use(same);
    inside.push('', ...this.declared(hint, schema));
    return hint;
  }

  /** @param command the extra lines that a command's parameters have; null for any other type. */
  declared(name, schema, command = null) {
    const choices = schema.oneOf ?? schema.anyOf;
    const types = choices?.map(({ type }) => type) ?? [];
    if (schema.allOf !== undefined) return this.#composed(name, schema.allOf);
    if (literalsOf(schema)?.every(one => typeof one === 'string')) return words(name, literalsOf(schema));
    if (literalsOf(schema) !== null) return literals(name, literalsOf(schema));
    if (choices !== undefined && types.every(type => ['boolean', 'integer', 'string'].includes(type)))
      return values(name, types);
    if (choices !== undefined) return tagged(this, name, choices, command);
    if (schema.properties !== undefined) return this.#struct(name, schema, command);
    throw new Error(`There is no Swift for ${name}: ${JSON.stringify(schema)}`);
  }

  /** The schema that a reference names. */
  resolved(schema) {
    return schema.$ref === undefined ? schema : this.#named.get(nameIn(schema)).schema;
  }

  /** Optional and null differ: a member may be left out, null, or both. */
  membersOf({ properties, required = [] }, inside) {
    return Object.entries(properties).map(([name, schema]) => {
      const { inner, isNullable } = nullableOf(schema);
      const isOptional = !required.includes(name);
      const type = this.typeOf(inner, capitalized(name), inside);
      if (isOptional && isNullable)
        return { name, type: `Change<${type}>`, coded: `Change<${type}>`, initial: '.keep' };
      if (isOptional) return { name, type: `${type}?`, coded: type, isOptional, initial: 'nil' };
      if (isNullable) return { name, type: `${type}?`, coded: `OrNull<${type}>`, isNullable, initial: 'nil' };
      return { name, type, coded: type, constant: typeof inner.const === 'boolean' ? inner.const : undefined };
    });
  }

  #struct(name, schema, command) {
    const inside = [];
    const members = this.membersOf(schema, inside);
    const hasId = members.some(each => each.name === 'id' && each.coded === each.type);
    const is = command !== null ? 'ControlCommand' : `Codable, Equatable, ${hasId ? 'Identifiable, ' : ''}Sendable`;
    const variables = members.map(({ name, type, isNullable, constant }) => {
      const of = constant === undefined ? `: ${type}` : ` = ${JSON.stringify(constant)}`;
      return `${isNullable ? '@OrNull ' : ''}public var ${quoted(name)}${of}`;
    });
    const between = members.length === 0 ? [] : [''];
    const lines = [...(command ?? []), ...variables, ...between, ...initializer(members), ...inside];
    return [`public struct ${name}: ${is} {`, ...indented(lines), '}'];
  }

  /**
   * An object that is several at once. Each part that has a name is a member of its type. The
   * members of other parts stand beside it.
   */
  #composed(name, parts) {
    const inside = [];
    const whole = parts.filter(({ $ref }) => $ref !== undefined).map(part => this.typeOf(part));
    const wholes = whole.map(type => ({ name: caseOf(type), type }));
    const others = parts.filter(({ $ref }) => $ref === undefined);
    const members = others.flatMap(part => this.membersOf(part, inside));
    const has = members.length > 0;
    return [
      `public struct ${name}: Codable, Equatable, Sendable {`,
      ...indented([
        ...[...wholes, ...members].map(each => `public var ${quoted(each.name)}: ${each.type}`),
        '',
        ...(has ? [memberKeys(members.map(each => each.name)), ''] : []),
        ...initializer([...wholes, ...members]),
        '',
        ...decoding([
          ...wholes.map(each => `${each.name} = try ${each.type}(from: decoder)`),
          ...(has ? ['let members = try decoder.container(keyedBy: Member.self)'] : []),
          ...members.map(each => `${quoted(each.name)} = ${decoded(each)}`),
        ]),
        '',
        ...encoding([
          ...wholes.map(each => `try ${each.name}.encode(to: encoder)`),
          ...(has ? ['var members = encoder.container(keyedBy: Member.self)'] : []),
          ...members.map(encoded),
        ]),
        ...inside,
      ]),
      '}',
    ];
  }

  #use(name) {
    if (this.#used.has(name)) return name;
    this.#used.add(name);
    const { noun, schema } = this.#named.get(name);
    this.#write(noun, this.declared(name, schema));
    return name;
  }

  #keyOf(schema) {
    return keyOf(schema, reference => this.resolved(reference));
  }
}

function nameIn({ $ref }) {
  return $ref.split('/').at(-1);
}
