/**
 * PostgreSQL's own grammar, compiled to WebAssembly. Knows how to survive it: a statement nested too deeply overflows the
 * stack and leaves the instance a little more broken each time (some sixty of them make it fail for good), so such an
 * instance is replaced. Judges nothing.
 */

import { fieldsOf, listOf } from './tree.ts';

export type Parsed =
  /** The statements, each as a wrapped node. */
  | { readonly kind: 'statements'; readonly statements: readonly unknown[] }
  /** The grammar's own message. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'too_deep' };

export type Parse = (sql: string) => Parsed;

/** What of the compiled parser is used here. Pointers are numbers in its memory. */
interface Instance {
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, pointer: number, bytes: number): void;
  UTF8ToString(pointer: number): string;
  getValue(pointer: number, type: 'i32'): number;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _wasm_parse_query_raw(pointer: number): number;
  _wasm_free_parse_result(pointer: number): void;
  _wasm_scan(pointer: number): number;
  _wasm_free_string(pointer: number): void;
}

type Factory = () => Promise<Instance>;

/** Overflows an instance may suffer while its replacement is on its way: far fewer than it survives. */
const mostOverflows = 8;
/** No shorter text overflowed the stack (the steepest needs twice this), so these are parsed by any instance. */
const shallowCharacters = 6_000;

/** Runs `use` with the text in the parser's memory, ended by NUL. */
function withText<T>(instance: Instance, sql: string, use: (pointer: number) => T): T {
  const bytes = instance.lengthBytesUTF8(sql) + 1;
  const pointer = instance._malloc(bytes);
  instance.stringToUTF8(sql, pointer, bytes);
  const result = use(pointer);
  instance._free(pointer);
  return result;
}

/**
 * This parser's look-ahead stumbles over comments where the server's doesn't (between `NOT` and `IN`), so they become spaces, as
 * the server's own scanner finds them. Offsets are in UTF-8 bytes.
 */
function withoutComments(instance: Instance, sql: string): string {
  const answer = withText(instance, sql, pointer => {
    const result = instance._wasm_scan(pointer);
    const text = instance.UTF8ToString(result);
    instance._wasm_free_string(result);
    return text;
  });
  // Anything else is the scanner's complaint, which the parser will repeat.
  if (!answer.startsWith('{')) return sql;
  // The library leaves control characters of a token's text bare in its JSON.
  const json = answer.replace(/\p{Cc}/gu, ' ');
  const scanned: { tokens?: readonly { start: number; end: number; tokenName: string }[] } = JSON.parse(json);
  const bytes = Buffer.from(sql);
  for (const { start, end, tokenName } of scanned.tokens ?? []) {
    if (tokenName === 'SQL_COMMENT' || tokenName === 'C_COMMENT') bytes.fill(' ', start, end);
  }
  return bytes.toString();
}

function parseWith(instance: Instance, sql: string): Parsed {
  const text = sql.includes('--') || sql.includes('/*') ? withoutComments(instance, sql) : sql;
  return withText(instance, text, pointer => {
    const result = instance._wasm_parse_query_raw(pointer);
    // The struct: tree, standard error, error; the error starts with its message.
    const error = instance.getValue(result + 8, 'i32');
    const answer = instance.UTF8ToString(instance.getValue(error === 0 ? result : error, 'i32'));
    instance._wasm_free_parse_result(result);
    if (error !== 0) return { kind: 'refused', message: answer };
    const { stmts }: { stmts?: unknown } = JSON.parse(answer);
    return { kind: 'statements', statements: listOf(stmts).map(entry => fieldsOf(entry).stmt) };
  });
}

export async function loadParser(): Promise<Parse> {
  const { default: factory }: { default: Factory } = await import('libpg-query/wasm/libpg-query.js');
  let instance = await factory();
  let overflows = 0;
  let isReplacing = false;

  async function replaceInstance(): Promise<void> {
    if (isReplacing) return;
    isReplacing = true;
    try {
      instance = await factory();
      overflows = 0;
    } catch {
      // The old one goes on within its allowance, and the next overflow tries again.
    }
    isReplacing = false;
  }

  return sql => {
    if (overflows >= mostOverflows && sql.length > shallowCharacters) return { kind: 'too_deep' };
    try {
      return parseWith(instance, sql);
    } catch {
      overflows++;
      void replaceInstance();
      return { kind: 'too_deep' };
    }
  };
}
