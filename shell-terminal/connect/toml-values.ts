/** What a value in a TOML file says, as far as JSON and tables of strings go (toml.io/en/v1.0.0). */

/** A value that JSON doesn't read stays the text it is. */
export function readValue(text: string): unknown {
  const table = text.startsWith('{') ? readInlineTable(text) : null;
  if (table !== null) return table;
  const literal = text.includes('"') ? text : text.replace(/'([^'\n]*)'/g, (_, inside) => JSON.stringify(inside));
  try {
    return JSON.parse(literal.replace(/,\s*\]$/, ']'));
  } catch {
    return text;
  }
}

/** One of strings alone, as an environment is; null of any other. */
function readInlineTable(text: string): Readonly<Record<string, unknown>> | null {
  const member = /\s*([A-Za-z0-9_-]+)\s*=\s*("(?:[^"\\\n]|\\[^\n])*"|'[^'\n]*')\s*([,}])/y;
  const members: [string, unknown][] = [];
  for (member.lastIndex = 1; ; ) {
    const [, key = '', value = '', end] = member.exec(text) ?? [];
    if (end === undefined) return null;
    members.push([key, readValue(value)]);
    if (end === '}') return member.lastIndex === text.length ? Object.fromEntries(members) : null;
  }
}
