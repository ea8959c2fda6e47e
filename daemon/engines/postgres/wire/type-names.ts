/**
 * Names column types like the server's `format_type(oid, modifier)`: built-in types from a table,
 * so most statements need no question; users' types by asking the catalog once.
 */

import type { Field } from './round-trip.ts';

export interface TypeNames {
  /** @returns null if one of them has to be asked for. */
  known(fields: readonly Field[]): readonly string[] | null;
  /**
   * Never rejects: if the catalog can't be asked now, a type is called `type <oid>`, and asked for
   * later.
   */
  lookUp(fields: readonly Field[]): Promise<readonly string[]>;
}

/** oid, oid of its array, name; from pg_type.dat, where built-in oids never change. */
const builtIn: readonly (readonly [oid: number, arrayOid: number, name: string])[] = [
  [16, 1000, 'boolean'],
  [17, 1001, 'bytea'],
  [18, 1002, '"char"'],
  [19, 1003, 'name'],
  [20, 1016, 'bigint'],
  [21, 1005, 'smallint'],
  [22, 1006, 'int2vector'],
  [23, 1007, 'integer'],
  [24, 1008, 'regproc'],
  [25, 1009, 'text'],
  [26, 1028, 'oid'],
  [27, 1010, 'tid'],
  [28, 1011, 'xid'],
  [29, 1012, 'cid'],
  [30, 1013, 'oidvector'],
  [114, 199, 'json'],
  [142, 143, 'xml'],
  [600, 1017, 'point'],
  [601, 1018, 'lseg'],
  [602, 1019, 'path'],
  [603, 1020, 'box'],
  [604, 1027, 'polygon'],
  [628, 629, 'line'],
  [650, 651, 'cidr'],
  [700, 1021, 'real'],
  [701, 1022, 'double precision'],
  [705, 0, 'unknown'],
  [718, 719, 'circle'],
  [774, 775, 'macaddr8'],
  [790, 791, 'money'],
  [829, 1040, 'macaddr'],
  [869, 1041, 'inet'],
  [1033, 1034, 'aclitem'],
  [1042, 1014, 'bpchar'],
  [1043, 1015, 'character varying'],
  [1082, 1182, 'date'],
  [1083, 1183, 'time without time zone'],
  [1114, 1115, 'timestamp without time zone'],
  [1184, 1185, 'timestamp with time zone'],
  [1186, 1187, 'interval'],
  [1266, 1270, 'time with time zone'],
  [1560, 1561, '"bit"'],
  [1562, 1563, 'bit varying'],
  [1700, 1231, 'numeric'],
  [1790, 2201, 'refcursor'],
  [2202, 2207, 'regprocedure'],
  [2205, 2210, 'regclass'],
  [2206, 2211, 'regtype'],
  [2249, 2287, 'record'],
  [2278, 0, 'void'],
  [2950, 2951, 'uuid'],
  [3220, 3221, 'pg_lsn'],
  [3614, 3643, 'tsvector'],
  [3615, 3645, 'tsquery'],
  [3734, 3735, 'regconfig'],
  [3802, 3807, 'jsonb'],
  [3904, 3905, 'int4range'],
  [3906, 3907, 'numrange'],
  [3908, 3909, 'tsrange'],
  [3910, 3911, 'tstzrange'],
  [3912, 3913, 'daterange'],
  [3926, 3927, 'int8range'],
  [4072, 4073, 'jsonpath'],
  [4089, 4090, 'regnamespace'],
  [4096, 4097, 'regrole'],
  [5069, 271, 'xid8'],
];

/** `(p)` goes before `with time zone`; string lengths include their own four-byte header. */
const modified: Readonly<Record<number, (modifier: number) => string>> = {
  1042: modifier => `character(${modifier - 4})`,
  1043: modifier => `character varying(${modifier - 4})`,
  1083: modifier => `time(${modifier}) without time zone`,
  1114: modifier => `timestamp(${modifier}) without time zone`,
  1184: modifier => `timestamp(${modifier}) with time zone`,
  1266: modifier => `time(${modifier}) with time zone`,
  1560: modifier => `bit(${modifier})`,
  1562: modifier => `bit varying(${modifier})`,
  1700: numeric,
};

/**
 * Precision in the upper half; scale in eleven bits with a sign since PostgreSQL 15, at most ten
 * bits before.
 */
function numeric(modifier: number): string {
  const packed = modifier - 4;
  return `numeric(${(packed >> 16) & 0xffff},${((packed & 0x7ff) ^ 0x400) - 0x400})`;
}

function builtInNames(): ReadonlyMap<number, { readonly oid: number; readonly name: string; readonly suffix: string }> {
  const names = new Map<number, { oid: number; name: string; suffix: string }>();
  for (const [oid, arrayOid, name] of builtIn) {
    names.set(oid, { oid, name, suffix: '' });
    if (arrayOid !== 0) names.set(arrayOid, { oid, name, suffix: '[]' });
  }
  return names;
}

/** Intervals have a set of fields in their modifier: rare enough to ask for. */
const interval = 1186;

/**
 * Gives the names of `format_type` for oids and modifiers, in order; null if the catalog can't be
 * asked. Never rejects.
 */
export type AskNames = (oids: readonly number[], modifiers: readonly number[]) => Promise<readonly string[] | null>;

/** @param askLater waits for a session of its own, for what `ask` could not tell. */
export function typeNames(ask: AskNames, askLater: AskNames = async () => null): TypeNames {
  const fromTable = builtInNames();
  const asked = new Map<string, string>();
  const keyOf = (field: Field) => `${field.dataTypeID}:${field.dataTypeModifier}`;

  function nameOf(field: Field): string | null {
    const { dataTypeID, dataTypeModifier } = field;
    const found = fromTable.get(dataTypeID);
    if (found === undefined) return asked.get(keyOf(field)) ?? null;
    if (dataTypeModifier < 0) return found.name + found.suffix;
    const name = modified[found.oid]?.(dataTypeModifier);
    if (name !== undefined) return name + found.suffix;
    return found.oid === interval ? (asked.get(keyOf(field)) ?? null) : found.name + found.suffix;
  }

  return {
    known(fields) {
      const names: string[] = [];
      for (const field of fields) {
        const name = nameOf(field);
        if (name === null) return null;
        names.push(name);
      }
      return names;
    },
    async lookUp(fields) {
      const missing = fields.filter(field => nameOf(field) === null);
      const of = [missing.map(field => field.dataTypeID), missing.map(field => field.dataTypeModifier)] as const;
      const learn = (names: readonly string[] | null): void =>
        missing.forEach((field, index) => {
          const name = names?.[index];
          if (name !== undefined) asked.set(keyOf(field), name);
        });
      const names = await ask(...of);
      learn(names);
      if (names === null) void askLater(...of).then(learn);
      return fields.map(field => nameOf(field) ?? `type ${field.dataTypeID}`);
    },
  };
}
