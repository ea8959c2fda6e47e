/** The first words between a program and its server: PostgreSQL’s start-up, without a password. */

import type { Socket } from 'node:net';
import type { WireSession } from '../../engines/engine.ts';
import type { Answers } from './answers.ts';
import { authenticationOk, bind, int32, message, parameterStatus, parse, ready, sync } from './messages.ts';
import type { StartUp } from './start-up.ts';

interface Greeted {
  readonly connection: Socket;
  readonly session: Extract<StartUp, { kind: 'session' }>;
  /** Eight bytes that it may cancel by. */
  readonly key: Buffer;
}

/** Sets what the program's start-up packet asked for, and tells it what the server is. */
export function greet(
  { line, parameters }: WireSession,
  { session, connection, key }: Greeted,
  answers: Answers,
  begin: () => void,
  whenReady: (ready: (status: string) => void) => void,
): void {
  let error: Buffer | null = null;
  const failed = (said: Buffer | null): void => {
    error ??= said;
  };
  const calls = session.settings.map((_, at) => `pg_catalog.set_config($${2 * at + 1}, $${2 * at + 2}, false)`);
  const style = `pg_catalog.set_config('DateStyle', 'ISO', false)`;
  line.write(parse('', `SELECT ${[style, ...calls].join(', ')}`));
  line.write(bind('', session.settings.flat()));
  line.write(message('E', '', int32(0)));
  line.write(sync);
  answers.expect({ kind: 'parse', whose: 'ours', failed });
  answers.expect({ kind: 'bind', whose: 'ours', failed });
  answers.expect({ kind: 'execute', whose: 'ours', failed });
  answers.expect({ kind: 'sync', whose: 'ours' });
  const told = [...parameters].filter(([name]) => name !== 'is_superuser');
  answers.say(
    ...(session.negotiation === null ? [] : [session.negotiation]),
    authenticationOk,
    ...told.map(([name, value]) => parameterStatus(name, value)),
    parameterStatus('is_superuser', 'off'),
  );
  whenReady(status => {
    if (error !== null) {
      answers.flush();
      return void connection.end();
    }
    answers.say(message('K', key), ready(status));
    begin();
  });
}
