/**
 * Reads PostgreSQL's parse tree as plain JSON. Any version of the grammar will do: no node type is
 * assumed to be known.
 */

export type Fields = { readonly [key: string]: unknown };

/** A node with its type's name: `{ SelectStmt: {…} }` in the JSON. */
interface Tagged {
  readonly tag: string;
  readonly fields: Fields;
}

const none: Fields = {};

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of an object, or none: protobuf leaves out what is empty. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : none;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Null if the value isn't a wrapped node (a list, a scalar, or a node whose field already says its
 * type).
 */
export function taggedNode(value: unknown): Tagged | null {
  if (!isFields(value)) return null;
  const keys = Object.keys(value);
  const tag = keys[0];
  if (keys.length !== 1 || tag === undefined || tag < 'A' || tag > '[') return null;
  const fields = value[tag];
  return isFields(fields) ? { tag, fields } : null;
}

/** A list of `String` nodes: the parts of a qualified name, outermost first. */
export function nameParts(value: unknown): readonly string[] {
  const parts: string[] = [];
  for (const item of listOf(value)) {
    const node = taggedNode(item);
    if (node?.tag === 'String') parts.push(textOf(node.fields.sval));
  }
  return parts;
}

/**
 * An option's value as text: `on`, `1`, `plpgsql`, the parts of a name joined; null if none is
 * given.
 */
export function optionText(value: unknown): string | null {
  const node = taggedNode(value);
  if (node === null) return null;
  const { tag, fields } = node;
  if (tag === 'String') return textOf(fields.sval);
  if (tag === 'Integer') return String(fields.ival ?? 0);
  if (tag === 'Float') return textOf(fields.fval);
  if (tag === 'Boolean') return fields.boolval === true ? 'true' : 'false';
  if (tag === 'TypeName') return nameParts(fields.names).at(-1) ?? null;
  return null;
}

export interface Option {
  readonly name: string;
  readonly value: unknown;
}

/** The `DefElem`s of a list: options in parentheses, `LANGUAGE c`, `OPTIONS (…)`. */
export function optionsOf(value: unknown): readonly Option[] {
  const node = taggedNode(value);
  const items = node?.tag === 'List' ? node.fields.items : value;
  return listOf(items).flatMap(item => {
    const option = taggedNode(item);
    return option?.tag === 'DefElem' ? [{ name: textOf(option.fields.defname), value: option.fields.arg }] : [];
  });
}

/**
 * True if a Boolean option is on, as PostgreSQL reads it: without a value it is on, and the last
 * one given counts.
 */
export function isOptionOn(options: readonly Option[], name: string): boolean {
  const given = options.filter(option => option.name.toLowerCase() === name).at(-1);
  if (given === undefined) return false;
  const text = optionText(given.value)?.toLowerCase();
  return text !== 'false' && text !== 'off' && text !== '0';
}
