/**
 * A line before a PostgreSQL or a pooler that notes what a client sends outside a transaction, and
 * which statements it names: a pooler that watches for these keeps its server session for that
 * client alone.
 */

import { connect, createServer, type Socket } from 'node:net';

export interface RecordedLine {
  readonly port: number;
  /** Texts of Parse messages that were sent while no transaction was open, in order. */
  readonly outside: readonly string[];
  /** Names of prepared statements. */
  readonly named: readonly string[];
  stop(): Promise<void>;
}

/** @param refuses start-up parameters, as a pooler of another make does, with a code of its own. */
export async function recordedLine(to: number, refuses: readonly string[] = []): Promise<RecordedLine> {
  const [outside, named]: [string[], string[]] = [[], []];
  const sockets = new Set<Socket>();
  const listening = createServer(client => {
    const server = connect(to, '127.0.0.1');
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => other.destroy());
    }
    let [isSignedIn, isWithin] = [false, false];
    const heard = messages(true, (kind, body) => {
      if (kind !== 'P') return;
      const [name = '', text = ''] = body.toString().split('\0');
      if (name !== '') named.push(name);
      if (!isWithin) outside.push(text);
      if (/^BEGIN/i.test(text)) isWithin = true;
      if (/^(?:COMMIT|ROLLBACK)$/i.test(text)) isWithin = false;
    });
    const answered = messages(false, (kind, body) => {
      if (kind === 'Z') isWithin = body.toString() !== 'I';
    });
    client.on('data', bytes => {
      const refused = refuses.find(name => bytes.includes(`\0${name}\0`));
      if (refused !== undefined && !isSignedIn) {
        client.end(errorResponse(`unsupported startup parameter: ${refused}`));
        return;
      }
      isSignedIn = true;
      heard(bytes);
      server.write(bytes);
    });
    server.on('data', bytes => {
      answered(bytes);
      client.write(bytes);
    });
  });
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve));
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('the line has no port');
  return {
    port: address.port,
    outside,
    named,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => listening.close(resolve));
    },
  };
}

function errorResponse(message: string): Buffer {
  const body = Buffer.from(`SFATAL\0VFATAL\0CXX000\0M${message}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** @param hasStart true for a client, whose first message has no kind. */
function messages(hasStart: boolean, told: (kind: string, body: Buffer) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let isStart = hasStart;
  return bytes => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = isStart ? 0 : 1;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      if (!isStart) told(String.fromCharCode(rest[0] ?? 0), rest.subarray(head + 4, end));
      isStart = false;
      rest = rest.subarray(end);
    }
  };
}
