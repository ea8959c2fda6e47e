/** How a tunnel command tells its address: it is given a place, or it prints one. Pure text. */

/**
 * `told`: on a port that it prints. `stdio`: one process per session, over its stdin and stdout.
 */
export type TunnelWay = 'port' | 'socket' | 'stdio' | 'told';

const stdioMark = /^\s*\{stdio\}\s*/;

export function tunnelWay(command: string): TunnelWay {
  if (stdioMark.test(command)) return 'stdio';
  if (command.includes('{socket}')) return 'socket';
  return command.includes('{port}') ? 'port' : 'told';
}

/** @param place a port, or the path of a socket, quoted for the shell. */
export function filledIn(command: string, place: string): string {
  return command.replace(stdioMark, '').replaceAll(/\{(?:port|socket)\}/g, () => place);
}

/** As cloud-sql-proxy, the SSM plugin of aws and kubectl print it. Null if it isn't there yet. */
export function portTold(output: string): number | null {
  const [, address, ssm] =
    /(?:127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})(?!\d)|\bPort (\d{1,5}) opened\b/i.exec(output) ?? [];
  const port = Number(address ?? ssm);
  return port >= 1 && port <= 65_535 ? port : null;
}
