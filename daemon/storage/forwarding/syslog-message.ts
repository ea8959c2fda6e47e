/** RFC 5424: a record as a syslog message. */

import { type Record, recordLine } from './record.ts';

/** "log audit" (RFC 5424, 6.2.1). */
const facility = 13;
const severities = { success: 6, denied: 4, error: 4, unknown: 4 } as const;

/** @param host a name of this machine, as syslog takes it. */
export function syslogMessage(record: Record, host: string, pid: number): Buffer {
  const { outcome, time } = record.row;
  const severity = outcome === null ? 6 : (severities[outcome as keyof typeof severities] ?? 6);
  const header = `<${facility * 8 + severity}>1 ${/^\d/.test(time) ? time : '-'} ${printable(host)} sallyport ${pid} activity -`;
  return Buffer.from(`${header} ${recordLine(record)}`);
}

/** PRINTUSASCII, at most 255. */
function printable(name: string): string {
  return name.replace(/[^\x21-\x7e]/g, '').slice(0, 255) || '-';
}
