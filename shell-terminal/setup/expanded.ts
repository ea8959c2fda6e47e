/**
 * Fills in the variables that a file's values refer to, like dotenv, Docker Compose and Spring:
 * `${NAME}`, `${NAME:-default}`, `${name:default}`, `${NAME:?problem}`, `${NAME:+instead}`,
 * `$NAME`.
 */

export type Variables = Readonly<Record<string, string | undefined>>;

/** Depth of references within references. */
const deepest = 8;

/** Characters that references of one file may become: eight levels of ten are a hundred million. */
const mostFilled = 65_536;

/**
 * @param outer used if the file itself doesn't set a variable. A reference to an unset variable
 *   stays unchanged, and {@link isUnfilled} is true then.
 */
export function expanded(variables: Variables, outer: Variables): Variables {
  const known: Variables = { ...outer, ...variables };
  const left = { characters: mostFilled };
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, filled(value ?? '', known, [name], left)]),
  );
}

/** True if a value still holds a reference: `${HOST}`, or Railway's `${{Postgres.URL}}`. */
export function isUnfilled(value: string): boolean {
  return value.includes('${');
}

/**
 * @param within the names being filled in.
 * @param left what may still be filled in; past it references stay unchanged.
 */
export function filled(
  value: string,
  known: Variables,
  within: readonly string[] = [],
  left = { characters: mostFilled },
): string {
  if (within.length > deepest) return value;
  return value.replace(
    /\\\$|\$\{([A-Za-z_][\w.]*)(?:(:[-?+]?|[-?+])([^{}]*))?\}|\$([A-Za-z_]\w*)/g,
    (whole: string, braced?: string, dash?: string, otherwise?: string, plain?: string) => {
      if (whole === '\\$') return '$';
      const name = braced ?? plain ?? '';
      const set = within.includes(name) || !Object.hasOwn(known, name) ? undefined : known[name];
      const isSet = set !== undefined && (set !== '' || !/^:[-?+]/.test(dash ?? ''));
      if (dash?.endsWith('+')) return isSet ? (otherwise ?? '') : '';
      // An empty value costs a step too.
      if (isSet) left.characters -= set.length + 1;
      if (isSet && left.characters < 0) return whole;
      if (isSet) return filled(set, known, [...within, name], left);
      // A $ in a password is a reference only if that variable exists.
      return dash?.endsWith('?') ? whole : (otherwise ?? whole);
    },
  );
}

/** As in an environment: Spring's `spring.datasource.url` becomes `SPRING_DATASOURCE_URL`. */
export function plainVariable(name: string): string {
  return name.toUpperCase().replace(/[.-]/g, '_');
}
