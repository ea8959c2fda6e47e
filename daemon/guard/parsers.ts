/** What reads each engine's statements, to be loaded before the first comes: the question that a text alone answers, and the WebAssembly behind it. */

import type { Engine } from '../../shared/engine.ts';
import type { Questions } from './index.ts';

interface Parser {
  readonly question: keyof Questions;
  /** Where a package begins, and the path from there. */
  readonly wasm: readonly [inPackage: string, path: string] | null;
}

export const parsers: Readonly<Record<Engine, Parser>> = {
  sqlite: { question: 'sqliteClass', wasm: null },
  postgres: { question: 'postgresClass', wasm: ['libpg-query/wasm/libpg-query.wasm', ''] },
  mysql: { question: 'mysqlClass', wasm: ['@guanmingchiu/sqlparser-ts', '../wasm/sqlparser_rs_wasm_bg.wasm'] },
};
