/** `demo.create`: the demo database made anew, and a connection `Demo` to it. */

import * as z from 'zod';
import { command, refused } from '../command.ts';
import { save } from './connections-save.ts';

const demoName = 'Demo';

export const createDemo = command<'demo.create'>(z.strictObject({}), (_, context) =>
  context.changes(async () => {
    const { ports } = context;
    const known = ports.connections.find(demoName);
    // A session on the old file would go on reading what is no longer there.
    if (known !== null) await ports.databases.forget(known.id);
    const { filePath } = await ports.makeDemo();
    if (known !== null && known.filePath !== filePath) {
      return refused(
        `The demo database was made (${filePath}), but another connection is called ${JSON.stringify(known.name)}; rename that one and try again.`,
      );
    }
    const endpoint = { host: null, port: null, socketPath: null, database: null, user: null };
    return save(
      {
        ...(known === null ? { name: demoName } : { connection: known.id }),
        endpoint: { ...endpoint, engine: 'sqlite', filePath },
      },
      context,
    );
  }),
);
