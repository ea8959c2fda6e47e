/**
 * Fills in the variables that values of a file refer to, as dotenv, Docker Compose and Spring do:
 * `${NAME}`, `${NAME:-default}`, `${name:default}`, `$NAME`.
 */

export type Variables = Readonly<Record<string, string | undefined>>;

/** References within references. */
const deepest = 8;

/**
 * @param outer what counts where the file itself says nothing. What refers to nothing that is set
 * stays as it stands, and {@link isUnfilled} then.
 */
export function expanded(variables: Variables, outer: Variables): Variables {
  const known: Variables = { ...outer, ...variables };
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, filled(value ?? '', known, [name])]),
  );
}

/** Whether a value still refers to something: `${HOST}`, or Railway's `${{Postgres.URL}}`. */
export function isUnfilled(value: string): boolean {
  return value.includes('${');
}

/** @param within the names that are being filled in. */
export function filled(value: string, known: Variables, within: readonly string[] = []): string {
  if (within.length > deepest) return value;
  return value.replace(
    /\\\$|\$\{([A-Za-z_][\w.]*)(?:(:-?|-)([^{}]*))?\}|\$([A-Za-z_]\w*)/g,
    (whole: string, braced?: string, dash?: string, otherwise?: string, plain?: string) => {
      if (whole === '\\$') return '$';
      const name = braced ?? plain ?? '';
      const set = within.includes(name) || !Object.hasOwn(known, name) ? undefined : known[name];
      if (set !== undefined && (set !== '' || dash !== ':-')) return filled(set, known, [...within, name]);
      // A $ in a password is no reference unless a variable of that name is there.
      return otherwise ?? whole;
    },
  );
}

/** As an environment has it: Spring's `spring.datasource.url` is `SPRING_DATASOURCE_URL`. */
export function plainVariable(name: string): string {
  return name.toUpperCase().replace(/[.-]/g, '_');
}
