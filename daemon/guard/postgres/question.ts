/**
 * What a statement leaves for the catalog to settle, and how the names of one text are found there.
 * Plain data.
 */

/** Where a name is looked for. */
interface SoughtName {
  readonly schema: string | null;
  readonly name: string;
  /**
   * The schemas where an unqualified name of stored code is looked for; null: the session's own
   * search path.
   */
  readonly path: readonly string[] | null;
}

export interface SoughtRelation extends SoughtName {
  /** `changed` by a data change. */
  readonly role: 'read' | 'changed';
  /** True if stored code names it. Whose rights count there can't be known. */
  readonly stored: boolean;
}

export interface SoughtFunction extends SoughtName {
  /** Null: any number. */
  readonly argumentCount: number | null;
  /**
   * True if a built-in has the name, too. A user's function of that name then only matters if it
   * takes other types.
   */
  readonly builtIn: boolean;
  /**
   * The places, from 1 on, of arguments that are constants. PostgreSQL may take a constant for a
   * value of any type.
   */
  readonly constants: readonly number[];
}

/** An operator or a type. */
interface SoughtByName extends SoughtName {
  /** True if a built-in has the name, too. */
  readonly builtIn: boolean;
}

/** The parameter of `catalogLookup`, as JSON. */
export interface CatalogQuestion {
  readonly relations: readonly SoughtRelation[];
  readonly functions: readonly SoughtFunction[];
  readonly operators: readonly SoughtByName[];
  readonly types: readonly SoughtByName[];
  /** Fields as in `t.f`: a function call with the row if `t` has no column `f`. */
  readonly attributes: readonly string[];
  /**
   * True if FROM holds a function. Its "row" may be a plain value, so `x.f` calls any function of
   * one argument.
   */
  readonly hasFunctionAsTable: boolean;
  /**
   * True if the text may read any table or view. Then all that have code behind them are looked at.
   */
  readonly everyRelation: boolean;
  /** True if the statement may show any setting of the server. */
  readonly settings: boolean;
}

export const nothingAsked: CatalogQuestion = {
  relations: [],
  functions: [],
  operators: [],
  types: [],
  attributes: [],
  hasFunctionAsTable: false,
  everyRelation: false,
  settings: false,
};

/** A question that asks about these types, too. */
export function withTypes(question: CatalogQuestion | null, types: readonly SoughtByName[]): CatalogQuestion | null {
  const { types: others } = question ?? nothingAsked;
  return types.length === 0 ? question : { ...(question ?? nothingAsked), types: [...others, ...types] };
}

/** The key of `everyRelation` among what was asked. */
export const everyRelationAsked = 'everyRelation true';

const kinds = ['relations', 'functions', 'operators', 'types', 'attributes'] as const;

/**
 * Makes one question of several, without what was asked before.
 * @param asked keys of what was asked; the keys of this question are added.
 * @returns null if nothing is left to ask.
 */
export function questionOf(questions: readonly CatalogQuestion[], asked: Set<string>): CatalogQuestion | null {
  const isNew = (kind: string, sought: unknown): boolean => {
    const key = `${kind} ${JSON.stringify(sought)}`;
    return !asked.has(key) && asked.add(key).has(key);
  };
  const unasked = <Sought>(kind: string, soughtIn: (each: CatalogQuestion) => readonly Sought[]): readonly Sought[] =>
    questions.flatMap(soughtIn).filter(sought => isNew(kind, sought));
  const question: CatalogQuestion = {
    relations: unasked('relation', each => each.relations),
    functions: unasked('function', each => each.functions),
    operators: unasked('operator', each => each.operators),
    types: unasked('type', each => each.types),
    attributes: unasked('attribute', each => each.attributes),
    hasFunctionAsTable: questions.some(each => each.hasFunctionAsTable),
    everyRelation: questions.some(each => each.everyRelation) && isNew('everyRelation', true),
    settings: questions.some(each => each.settings) && isNew('settings', true),
  };
  return question.settings || question.everyRelation || kinds.some(kind => question[kind].length > 0) ? question : null;
}
