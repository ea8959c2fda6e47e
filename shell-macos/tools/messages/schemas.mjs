/**
 * What a message's JSON Schema means before it becomes Swift: its cases, its literals, whether it
 * may be null, and which schemas are the same.
 */

import { capitalized } from './text.mjs';

/**
 * The Swift case for a word (`connectionLevel` for `connection_level`), for a number (`value7`), or
 * for true and false (the name of the `tag`, or its opposite).
 */
export function caseOf(word, tag = '') {
  if (typeof word === 'boolean') return word ? tag : `not${capitalized(tag)}`;
  if (Number.isInteger(Number(word))) return `value${word}`;
  const [first, ...others] = word.split(/[._-]/);
  return `${first[0].toLowerCase()}${first.slice(1)}${others.map(capitalized).join('')}`;
}

/** The values of a schema that takes only these; null for any other schema. */
export function literalsOf(schema) {
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum !== undefined) return schema.enum;
  const parts = schema.anyOf?.map(literalsOf);
  return parts?.every(part => part !== null) ? parts.flat() : null;
}

/** The schema without its null, which can be written in two ways. */
export function nullableOf(schema) {
  if (Array.isArray(schema.type)) {
    const [type, ...others] = schema.type.filter(each => each !== 'null');
    if (others.length > 0 || schema.type.length === 1) throw new Error(`Of several types: ${JSON.stringify(schema)}`);
    return { inner: { ...schema, type }, isNullable: true };
  }
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (schema.anyOf === undefined || others.length === schema.anyOf.length) return { inner: schema, isNullable: false };
  return { inner: others.length === 1 ? others[0] : { anyOf: others }, isNullable: true };
}

/**
 * The same text for two schemas that take values of one form. Their limits are left out, and
 * references are followed.
 */
export function keyOf(schema, resolved) {
  return JSON.stringify(form(schema));

  function form(part) {
    if (part.$ref !== undefined) return form(resolved(part));
    const { inner, isNullable } = nullableOf(part);
    if (isNullable) return { nullable: form(inner) };
    if (literalsOf(part) !== null) return { literals: literalsOf(part).map(String).sort() };
    if (part.properties !== undefined) {
      const names = Object.keys(part.properties).sort();
      return {
        members: names.map(name => [name, part.required?.includes(name) ?? false, form(part.properties[name])]),
      };
    }
    if (part.propertyNames !== undefined) return { values: form(part.additionalProperties) };
    if (part.items !== undefined) return { items: form(part.items) };
    for (const many of ['oneOf', 'anyOf', 'allOf']) {
      if (part[many] !== undefined) return { [many]: part[many].map(form) };
    }
    return { type: part.type };
  }
}
