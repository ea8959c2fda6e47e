/** `demo.create`: makes the demo database anew, and a connection `Demo` to it. */

import type { Connection } from '../../access/connection.ts';
import { say } from '../../guard/reason.ts';
import { command, refused } from '../command.ts';
import { connectionView } from '../messages/connections.ts';
import type { CommandPorts } from '../ports.ts';
import type { ConnectionSaveParams } from './connection-fields.ts';
import { standingOf } from './connection-view.ts';
import { lookBeside, saveIncrease } from './connections-increase.ts';
import { saveConnection } from './connections-save.ts';
import { nothing } from './shapes.ts';

const demoName = 'Demo';

export const demoCreate = command('demo.create', {
  shape: nothing,
  result: connectionView,
  privilegeIncrease: async (_, { ports, at }) => {
    const { former, asked } = demoSave(ports);
    // Another connection has the name, so nothing will be saved.
    if (former !== null && former.filePath !== ports.demoFile) return null;
    await lookBeside(ports.demoFile, ports);
    return saveIncrease(former, asked, ports, at);
  },
  records: {
    action: 'demo.create',
    done: ({ id, name }, _, ports) => ({ connection: { id, name }, ...standingOf(id, ports) }),
  },
  run: (_, context) =>
    context.changes(async () => {
      const { ports } = context;
      const { former, asked } = demoSave(ports);
      // A session on the old file would keep reading what is gone.
      if (former !== null) await ports.databases.forget(former.id);
      await ports.makeDemo();
      if (former !== null && former.filePath !== ports.demoFile) {
        return refused(
          'name_taken',
          say(
            'The demo database was made (%@), but another connection is called %@; rename that one and try again.',
            ports.demoFile,
            JSON.stringify(former.name),
          ),
          { connection: former.name },
        );
      }
      return saveConnection(asked, context);
    }),
});

/** The present connection `Demo`, and what is saved; its level and policy stay. */
function demoSave({ connections, demoFile }: Pick<CommandPorts, 'connections' | 'demoFile'>): {
  readonly former: Connection | null;
  readonly asked: ConnectionSaveParams;
} {
  const former = connections.find(demoName);
  const endpoint = { host: null, port: null, socketPath: null, database: null, user: null };
  return {
    former,
    asked: {
      ...(former === null ? { name: demoName } : { connection: former.id }),
      endpoint: { ...endpoint, engine: 'sqlite', filePath: demoFile },
    },
  };
}
