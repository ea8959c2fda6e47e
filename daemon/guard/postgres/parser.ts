/**
 * PostgreSQL's own grammar, compiled to WebAssembly, and how to survive it. A statement that is
 * nested too deeply overflows the stack and leaves the instance a little more broken each time
 * (some sixty of them make it fail for good), so such an instance is replaced. Classifies nothing.
 */

import { fieldsOf, listOf } from './tree.ts';

export type Parsed =
  /** The statements, each as a wrapped node. */
  | { readonly kind: 'statements'; readonly statements: readonly unknown[] }
  /** The grammar's own message, and at which character; null if it doesn't say. */
  | { readonly kind: 'refused'; readonly message: string; readonly character: number | null }
  | { readonly kind: 'too_deep' };

export interface Parse {
  (sql: string): Parsed;
  /**
   * @param definition a CREATE FUNCTION.
   * @returns the tree of its PL/pgSQL; null if the grammar doesn't take it.
   */
  plpgsql(definition: string): unknown;
  /** Names before a parenthesis, each as its parts; null if the text can't be scanned. */
  calledNames(text: string): readonly (readonly string[])[] | null;
}

/** The part of the compiled parser that is used here. Pointers are numbers in its memory. */
interface Instance {
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, pointer: number, bytes: number): void;
  UTF8ToString(pointer: number): string;
  getValue(pointer: number, type: 'i32'): number;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _wasm_parse_query_raw(pointer: number): number;
  _wasm_free_parse_result(pointer: number): void;
  _wasm_parse_plpgsql(pointer: number): number;
  _wasm_scan(pointer: number): number;
  _wasm_free_string(pointer: number): void;
}

type Factory = () => Promise<Instance>;

/**
 * How many overflows an instance may suffer while its replacement is on its way: far fewer than it
 * survives.
 */
const mostOverflows = 8;
/**
 * No text this short overflowed the stack (the steepest needs twice as much), so any instance may
 * parse it.
 */
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

type Ask = '_wasm_scan' | '_wasm_parse_plpgsql';

/** @returns the JSON that the library answers with; null for an error message. */
function answerOf(instance: Instance, ask: Ask, sql: string): unknown {
  const answer = withText(instance, sql, pointer => {
    const result = instance[ask](pointer);
    const text = instance.UTF8ToString(result);
    instance._wasm_free_string(result);
    return text;
  });
  // The library leaves control characters of a token's text bare in its JSON.
  return answer.startsWith('{') ? JSON.parse(answer.replace(/\p{Cc}/gu, ' ')) : null;
}

interface Token {
  /** In UTF-8 bytes. */
  readonly start: number;
  readonly end: number;
  readonly tokenName: string;
  readonly keywordName: string;
}

function tokensOf(instance: Instance, sql: string): readonly Token[] | null {
  const scanned = answerOf(instance, '_wasm_scan', sql);
  return scanned === null ? null : (listOf(fieldsOf(scanned).tokens) as readonly Token[]);
}

/**
 * This parser's look-ahead, unlike the server's, stumbles over comments (between `NOT` and `IN`).
 * So comments become spaces, and it is the server's own scanner that finds them.
 */
function withoutComments(instance: Instance, sql: string): string {
  const bytes = Buffer.from(sql);
  let text = '';
  let from = 0;
  // If the scanner fails, the parser reports the same error.
  for (const { start, end, tokenName } of tokensOf(instance, sql) ?? []) {
    if (tokenName !== 'SQL_COMMENT' && tokenName !== 'C_COMMENT') continue;
    // A blank for each character, so the grammar counts characters as they were sent.
    const blanks = bytes.toString('utf8', start, end).replace(/./gsu, ' ');
    text += bytes.toString('utf8', from, start) + blanks;
    from = end;
  }
  return text + bytes.toString('utf8', from);
}

function calledNames(instance: Instance, text: string): readonly (readonly string[])[] | null {
  const bytes = Buffer.from(text);
  const tokens = tokensOf(instance, text)?.filter(({ tokenName }) => !tokenName.endsWith('COMMENT'));
  if (tokens === undefined) return null;
  const textOf = ({ start, end }: Token): string => bytes.subarray(start, end).toString();
  const found: string[][] = [];
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (next === undefined || textOf(next) !== '(' || !mayNameFunction(token, textOf(token))) continue;
    const [before, schema] = [tokens[index - 1], tokens[index - 2]];
    const isQualified = before !== undefined && textOf(before) === '.' && schema !== undefined;
    found.push([...(isQualified ? [unquoted(textOf(schema))] : []), unquoted(textOf(token))]);
  }
  return found;
}

/** Words of the grammar may name functions, too; of those that also name columns, only some. */
function mayNameFunction({ tokenName, keywordName }: Token, text: string): boolean {
  if (tokenName === 'IDENT') return true;
  if (keywordName === 'COL_NAME_KEYWORD') return /^(?:json|merge_action$|overlay$|substring$)/i.test(text);
  return keywordName === 'UNRESERVED_KEYWORD' || keywordName === 'TYPE_FUNC_NAME_KEYWORD';
}

function unquoted(identifier: string): string {
  return identifier.startsWith('"') ? identifier.slice(1, -1).replaceAll('""', '"') : identifier.toLowerCase();
}

function parseWith(instance: Instance, sql: string): Parsed {
  const text = sql.includes('--') || sql.includes('/*') ? withoutComments(instance, sql) : sql;
  return withText(instance, text, pointer => {
    const result = instance._wasm_parse_query_raw(pointer);
    // The structs: tree, standard error, error. The error has message, function, file, line,
    // character (from 1).
    const error = instance.getValue(result + 8, 'i32');
    const answer = instance.UTF8ToString(instance.getValue(error === 0 ? result : error, 'i32'));
    const at = error === 0 ? 0 : instance.getValue(error + 16, 'i32');
    const character = at > 0 ? at : null;
    instance._wasm_free_parse_result(result);
    if (error !== 0) return { kind: 'refused', message: answer, character };
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
      // The old instance goes on within its allowance, and the next overflow tries again.
    }
    isReplacing = false;
  }

  function attempt<T>(text: string, otherwise: T, work: () => T): T {
    if (overflows >= mostOverflows && text.length > shallowCharacters) return otherwise;
    try {
      return work();
    } catch {
      overflows++;
      void replaceInstance();
      return otherwise;
    }
  }

  const tooDeep: Parsed = { kind: 'too_deep' };
  return Object.assign((sql: string) => attempt(sql, tooDeep, () => parseWith(instance, sql)), {
    plpgsql: (definition: string) =>
      attempt(definition, null, () => answerOf(instance, '_wasm_parse_plpgsql', definition)),
    calledNames: (text: string) => attempt(text, null, () => calledNames(instance, text)),
  });
}
