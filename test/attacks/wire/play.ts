/** Plays an attack through one session, each statement as its client would send it. */

import { extended, type Heard, query, RawClient, sync } from './raw-client.ts';
import type { Sent } from './walls.ts';

export interface Entrance {
  /** Of the socket, with its file's name. */
  readonly path: string;
  readonly user: string;
  readonly database: string;
}

/** @returns what was heard after each send; the last one may be `closed`. */
export async function play(entrance: Entrance, sends: readonly Sent[]): Promise<readonly Heard[]> {
  const client = await RawClient.open(entrance.path, entrance);
  try {
    const heard: Heard[] = [];
    for (const [kind, ...texts] of sends) {
      if (kind === 'E') heard.push(await client.ask(Buffer.concat([...texts.map(extended), sync])));
      else if (kind === 'EE')
        heard.push(await client.ask(Buffer.concat(texts.flatMap(text => [extended(text), sync])), texts.length));
      else for (const text of texts) heard.push(await client.ask(query(text)));
    }
    return heard;
  } finally {
    client.end();
  }
}

/** Raw bytes in a session of their own, and whether it or the next one still answers. */
export async function throwAt(entrance: Entrance, sent: Buffer, readies: number): Promise<Heard> {
  const client = await RawClient.open(entrance.path, entrance);
  try {
    client.send(sent);
    return await client.hear(readies, 3_000);
  } finally {
    client.end();
  }
}
