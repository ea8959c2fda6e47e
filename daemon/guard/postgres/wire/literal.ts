/** Texts of ours in a statement of ours, on a server with standard_conforming_strings. */

export function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
