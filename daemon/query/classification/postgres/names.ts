/** The names a statement uses, each once: tables, calls that the catalog must judge, operators, fields that may be calls. */

import type { QualifiedName } from '../classification.ts';
import { actingFunction } from './acting-functions.ts';
import { builtInNames } from './built-in-names.ts';
import type { Call, CatalogQuestion } from './question.ts';
import { type Verdict, write } from './verdict.ts';
import { volatileReads } from './volatile-reads.ts';

export interface FunctionCall {
  /** Outermost first; the last is the function's own name. */
  readonly parts: readonly string[];
  readonly argumentCount: number;
}

/** Every operator in `pg_catalog`, versions 12 to 18. */
const builtInOperators: ReadonlySet<string> = new Set(
  `! !! !~ !~* !~~ !~~* # ## #- #> #>> % & && &< &<| &> &>| @@@ * *< *<= *<> *= *> *>= + - -> ->> -|- / < <-> << <<= <<| <=
   <> <@ <^ = > >= >> >>= >^ ? ?# ?& ?- ?-| ?| ?|| @ @-@ @> @? @@ ^ ^@ | |&> |/ |>> || ||/ ~ ~* ~<=~ ~<~ ~= ~>=~ ~>~ ~~ ~~*
   != @#@ <?> <#> %% ~<> |`.split(/\s+/),
);

export class Names {
  private readonly tablesByName = new Map<string, QualifiedName>();
  private readonly callsByName = new Map<string, Call>();
  private readonly overloadsByName = new Map<string, Call>();
  private readonly operatorsByName = new Map<string, QualifiedName>();
  private readonly attributes = new Set<string>();
  private hasFunctionAsTable = false;

  get tables(): readonly QualifiedName[] {
    return [...this.tablesByName.values()];
  }

  /** Calls of functions that no built-in list settles. */
  get calls(): readonly Call[] {
    return [...this.callsByName.values()];
  }

  /** Null where no answer of the catalog could tell anything. */
  question(): CatalogQuestion | null {
    const [overloads, operators] = [[...this.overloadsByName.values()], [...this.operatorsByName.values()]];
    const asked = this.callsByName.size + overloads.length + operators.length + this.attributes.size;
    if (asked === 0) return null;
    const { calls, attributes, hasFunctionAsTable } = this;
    return { calls, operators, overloads, attributes: [...attributes], hasFunctionAsTable };
  }

  addTable({ schema, name }: QualifiedName): void {
    this.tablesByName.set(`${schema ?? ''}\0${name}`, { schema, name });
  }

  /** @returns the verdict on a function that is known to act; null for one that computes or isn't known. */
  addCall({ parts, argumentCount }: FunctionCall): Verdict | null {
    const name = parts.at(-1);
    if (name === undefined) return write("A call without a name isn't understood, so it is no read.");
    const schema = parts.at(-2) ?? null;
    const verdict = actingFunction(schema, name, argumentCount);
    if (verdict !== null) return verdict;
    const key = `${schema ?? ''}\0${name}\0${argumentCount}`;
    const isOwn = schema === null || schema === 'pg_catalog' || schema === 'information_schema';
    if (isOwn && (builtInNames.has(name) || volatileReads.has(name))) {
      if (schema === null) this.overloadsByName.set(key, { schema, name, argumentCount });
      return null;
    }
    if (schema === 'pg_catalog') {
      return write(`pg_catalog.${name} is a built-in of a newer server that isn't known here, so it is no read.`);
    }
    this.callsByName.set(key, { schema, name, argumentCount });
    return null;
  }

  addOperator(parts: readonly string[]): void {
    const name = parts.at(-1);
    const schema = parts.at(-2) ?? null;
    if (name === undefined || schema === 'pg_catalog' || (schema === null && builtInOperators.has(name))) return;
    this.operatorsByName.set(`${schema ?? ''}\0${name}`, { schema, name });
  }

  addAttribute(name: string): void {
    this.attributes.add(name);
  }

  noteFunctionAsTable(): void {
    this.hasFunctionAsTable = true;
  }
}
