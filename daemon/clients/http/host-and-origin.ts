/**
 * The guard against DNS rebinding (spec §3): a foreign page can make a browser connect to
 * 127.0.0.1, but can neither send our Host nor leave its own Origin out.
 */

/** This machine's three names with any port or none: an SSH forward has its own port. */
const ownHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/** What a container calls the machine that it runs on. */
const containersHost = /^host\.docker\.internal(?::\d{1,5})?$/i;

/**
 * @param rawHeaders names and values in turn, as they came: in a map a second Host would hide
 *   behind the first.
 */
export function namesThisMachine(rawHeaders: readonly string[]): boolean {
  return hasOneHost(rawHeaders, ownHost);
}

/**
 * Whoever answers names in a network may lead a browser here by it: it is worth something with the
 * token of a box alone.
 */
export function namesHostOfContainer(rawHeaders: readonly string[]): boolean {
  return hasOneHost(rawHeaders, containersHost);
}

/** MCP clients send no Origin. We serve no page, so no browser sends ours. */
export function originIsOwn(rawHeaders: readonly string[]): boolean {
  const host = valuesOf(rawHeaders, 'host')[0] ?? '';
  return valuesOf(rawHeaders, 'origin').every(origin => origin.toLowerCase() === `http://${host.toLowerCase()}`);
}

/** True if the Host is that of a target in absolute form: of two names one would go unchecked. */
export function isOneHost(rawHeaders: readonly string[], authority: string): boolean {
  const hosts = valuesOf(rawHeaders, 'host');
  return hosts.length === 1 && hosts[0]?.toLowerCase() === authority.toLowerCase();
}

function hasOneHost(rawHeaders: readonly string[], pattern: RegExp): boolean {
  const hosts = valuesOf(rawHeaders, 'host');
  return hosts.length === 1 && pattern.test(hosts[0] ?? '');
}

/** @param name in lower case. */
export function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] ?? '';
    if (header.length === name.length && header.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}
