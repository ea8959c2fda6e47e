/** Judging as a run of the daemon has it: the threads know the engines that there are connections for. */

import type { Engine } from './access/connection.ts';
import type { ConnectionRegister } from './access/connection-register.ts';
import { type OpenJudging, openJudging } from './judging/judging.ts';
import type { Judgements } from './query/judgements.ts';

/** After the first clients of a start had their answers, and well before a person has asked anything. */
const warmAfterMilliseconds = 500;

const classOf: Readonly<Record<Engine, keyof Judgements>> = {
  sqlite: 'sqliteClass',
  postgres: 'postgresClass',
  mysql: 'mysqlClass',
};

export function judgingOfRun(ports: {
  readonly connections: Pick<ConnectionRegister, 'list'>;
  readonly elapsed: () => number;
  readonly report: (error: unknown) => void;
}): OpenJudging & { warmSoon(): void } {
  const engines = (): Engine[] => [...new Set(ports.connections.list().map(({ engine }) => engine))];
  const judging = openJudging({
    warmUp: () => engines().map(engine => ({ name: classOf[engine], given: ['SELECT 1'] })),
    elapsed: ports.elapsed,
    resident: () => process.memoryUsage.rss(),
    report: ports.report,
  });
  let warming: NodeJS.Timeout | undefined;
  return {
    ...judging,
    warmSoon() {
      if (engines().length > 0) warming = setTimeout(judging.warm, warmAfterMilliseconds).unref();
    },
    async close() {
      clearTimeout(warming);
      await judging.close();
    },
  };
}
