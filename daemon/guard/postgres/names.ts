/**
 * The names that a text uses, each once: tables, calls, operators, types, fields that may be calls.
 */

import type { QualifiedName } from '../types.ts';
import { builtInNames } from './built-in-names.ts';
import { actingFunction } from './functions.ts';
import { nameOf } from './new-words.ts';
import { builtInOperators } from './operators.ts';
import type { CatalogQuestion, SoughtFunction, SoughtRelation } from './question.ts';
import { asksForRole, showsByRole } from './role-dependence.ts';
import { isKnownCatalog } from './system-catalogs.ts';
import { say, type Verdict, write } from './verdict.ts';
import { volatileReads } from './volatile-reads.ts';

export interface FunctionCall {
  /** Outermost first; the last part is the function's own name. */
  readonly parts: readonly string[];
  /** Null if unknown. */
  readonly argumentCount: number | null;
  /** As in `SoughtFunction`. */
  readonly constants?: readonly number[];
}

/** Types of PostgreSQL. By a bare name of these, a bent search path can mean others. */
const plainTypes: ReadonlySet<string> = new Set(
  `text date uuid json jsonb bytea oid regclass regtype regproc regprocedure regnamespace regrole regoper regconfig name xml
   inet cidr macaddr money tsvector tsquery int2 int4 int8 float4 float8 bool bpchar varchar numeric timestamp timestamptz time
   timetz interval xid cid tid pg_lsn box point line lseg path polygon circle int4range int8range numrange daterange tsrange
   tstzrange record char bit varbit jsonpath unknown`.split(/\s+/),
);

export const isPlainType = ({ schema, name }: QualifiedName): boolean => schema === null && plainTypes.has(name);

type SoughtCall = QualifiedName & Pick<SoughtFunction, 'argumentCount' | 'constants'>;

export class Names {
  private readonly path: readonly string[] | null;
  private readonly stored: boolean;
  private readonly tablesByName = new Map<string, QualifiedName>();
  private readonly relations = new Map<string, SoughtRelation>();
  private readonly callsByName = new Map<string, SoughtCall>();
  private readonly overloads = new Map<string, SoughtCall>();
  private readonly operators = new Map<string, QualifiedName>();
  private readonly types = new Map<string, QualifiedName>();
  private readonly attributes = new Set<string>();
  private hasFunctionAsTable = false;
  private mayReadAll = false;
  private mayShowSettings = false;
  private isOfRole = false;

  /**
   * @param path where stored code looks for bare names; null for the session's own path.
   * @param stored true for stored code.
   */
  constructor(path: readonly string[] | null = null, stored = false) {
    this.path = path;
    this.stored = stored;
  }

  get tables(): readonly QualifiedName[] {
    return [...this.tablesByName.values()];
  }

  /** Relations that are changed, in the order in which the statement names them. */
  get changed(): readonly QualifiedName[] {
    const changed = [...this.relations.values()].filter(({ role }) => role === 'changed');
    return changed.map(({ schema, name }) => ({ schema, name }));
  }

  /** Calls of functions that no built-in list settles. */
  get calls(): readonly QualifiedName[] {
    return [...this.callsByName.values()];
  }

  /** True if another role may be told something else, whatever the catalog says. */
  get dependsOnRole(): boolean {
    return this.isOfRole;
  }

  /** Null if only what PostgreSQL brings can be meant. */
  question(): CatalogQuestion | null {
    const { path } = this;
    const types = [...this.types.values()];
    const [operators, overloads] = [[...this.operators.values()], [...this.overloads.values()]];
    const sure =
      this.relations.size + this.callsByName.size + types.length + Number(this.mayShowSettings || this.mayReadAll);
    if (sure + operators.length + overloads.length === 0) return null;
    const seeking = <N extends QualifiedName>(name: N) => ({ ...name, path });
    return {
      relations: [...this.relations.values()],
      functions: [
        ...[...this.callsByName.values()].map(call => ({ ...seeking(call), builtIn: false })),
        ...overloads.map(call => ({ ...seeking(call), builtIn: true })),
      ],
      operators: operators.map(each => ({
        ...seeking(each),
        builtIn: each.schema === null && builtInOperators.has(each.name),
      })),
      types: types.map(type => ({ ...seeking(type), builtIn: isPlainType(type) })),
      attributes: [...this.attributes],
      hasFunctionAsTable: this.hasFunctionAsTable,
      everyRelation: this.mayReadAll,
      settings: this.mayShowSettings,
    };
  }

  addTable(table: QualifiedName, role: SoughtRelation['role'] = 'read'): void {
    this.nameTable(table);
    this.addRelation(table, role);
  }

  /** For a table that the statement only names. */
  nameTable({ schema, name }: QualifiedName): void {
    this.isOfRole ||= showsByRole({ schema, name });
    this.tablesByName.set(keyOf(schema, name), { schema, name });
  }

  /** For what is read or changed without being a table of the statement. */
  addRelation({ schema, name }: QualifiedName, role: SoughtRelation['role']): void {
    this.isOfRole ||= showsByRole({ schema, name });
    if (role === 'read' && isKnownCatalog({ schema, name })) return;
    const { path, stored } = this;
    this.relations.set(`${role}\0${keyOf(schema, name)}`, { schema, name, path, role, stored });
  }

  /**
   * @param isClassifiedByText true if what the call runs was found in its arguments and is
   *   classified there.
   * @returns the verdict on a function that is known to act; null for one that computes or isn't
   *   known.
   */
  addCall({ parts, argumentCount, constants = [] }: FunctionCall, isClassifiedByText = false): Verdict | null {
    const name = parts.at(-1);
    if (name === undefined) return write(say("A call without a name isn't understood, so it doesn't count as a read."));
    this.isOfRole ||= asksForRole(name);
    const { schema } = nameOf(parts);
    const verdict = isClassifiedByText ? null : actingFunction(schema, name, argumentCount);
    if (verdict !== null) return verdict;
    const key = `${keyOf(schema, name)}\0${argumentCount ?? ''}\0${constants}`;
    const isOwn = schema === null || schema === 'pg_catalog' || schema === 'information_schema';
    if (
      isOwn &&
      (builtInNames.has(name) || volatileReads.has(name) || (isClassifiedByText && !name.startsWith('crosstab')))
    ) {
      if (schema === null) this.overloads.set(key, { schema, name, argumentCount, constants });
      return null;
    }
    if (schema === 'pg_catalog') {
      return write(
        say(
          "pg_catalog.%@ isn't among the built-ins that are known here to only compute, so it doesn't count as a read.",
          name,
        ),
      );
    }
    this.callsByName.set(key, { schema, name, argumentCount, constants });
    return null;
  }

  addOperator(parts: readonly string[]): void {
    const name = parts.at(-1);
    const schema = parts.at(-2) ?? null;
    if (name === undefined || schema === 'pg_catalog') return;
    this.operators.set(keyOf(schema, name), { schema, name });
  }

  addType(parts: readonly string[]): void {
    const { schema, name } = nameOf(parts);
    if (parts.length === 0 || schema === 'pg_catalog') return;
    this.types.set(keyOf(schema, name), { schema, name });
  }

  addAttribute(name: string): void {
    this.isOfRole ||= asksForRole(name);
    this.attributes.add(name);
  }

  /** The text reads tables whose names it only gets while it runs. */
  noteAnyRelation(): void {
    this.mayReadAll = true;
    this.isOfRole = true;
  }

  noteFunctionAsTable(): void {
    this.hasFunctionAsTable = true;
  }

  noteSettings(): void {
    this.mayShowSettings = true;
    this.isOfRole = true;
  }

  noteRole(): void {
    this.isOfRole = true;
  }
}

function keyOf(schema: string | null, name: string): string {
  return `${schema ?? ''}\0${name}`;
}
