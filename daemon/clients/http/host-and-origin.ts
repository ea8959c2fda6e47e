/**
 * The guard against DNS rebinding (spec §3): a page on another site can make a browser connect to
 * 127.0.0.1, but not send our Host, nor leave its own Origin out.
 */

/** The three names of this machine with any port or none: an SSH forward has a port of its own. */
const ownHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/**
 * @param rawHeaders names and values in turn, as they came: a second Host would hide behind the
 * first in a map.
 */
export function namesThisMachine(rawHeaders: readonly string[]): boolean {
  const hosts = valuesOf(rawHeaders, 'host');
  return hosts.length === 1 && ownHost.test(hosts[0] ?? '');
}

/** No Origin at all is what every MCP client sends; we serve no page, so no browser sends ours. */
export function originIsOwn(rawHeaders: readonly string[]): boolean {
  const host = valuesOf(rawHeaders, 'host')[0] ?? '';
  return valuesOf(rawHeaders, 'origin').every(origin => origin.toLowerCase() === `http://${host.toLowerCase()}`);
}

function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] ?? '';
    if (header.length === name.length && header.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}
