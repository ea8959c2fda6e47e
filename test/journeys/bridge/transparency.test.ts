/**
 * Through the built bridge a client of 2026-07-28 gets the same bytes as over HTTP. A number that
 * no double can hold, or a message as large as the daemon accepts, arrives unchanged for clients of
 * each era.
 */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type BridgeProcess, legacy } from '../../bridge/bridge-process.ts';
import { RealHome } from '../../bridge/real-home.ts';
import { send } from '../../clients/http/wire.ts';
import { until } from '../../waiting/until.ts';

const envelope =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"bytes","version":"1"}}';
const maxBodyBytes = 1024 * 1024;

let home: RealHome;
let bridge: BridgeProcess;
beforeAll(() => {
  home = new RealHome();
  home.sallyport('start');
  home.sallyport('demo');
  bridge = home.bridge();
});
afterAll(() => home.clean());

/** Removes what may differ between two runs of one statement. */
const timeless = (text: string): string => text.replaceAll(/(execution_time_ms\\?":)[\d.]+/g, '$1…');

/** The lines that a stdio client must get for HTTP's answer. */
async function overHttp(line: string): Promise<string[]> {
  const { method, params } = JSON.parse(line);
  const { port, token } = home.handshake() ?? {};
  const { headers, text } = await send(`http://127.0.0.1:${port}/mcp`, {
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${token}`,
      'MCP-Protocol-Version': params?._meta?.['io.modelcontextprotocol/protocolVersion'] ?? '2026-07-28',
      'Mcp-Method': method,
      ...(params?.name && { 'Mcp-Name': params.name }),
      'Sallyport-Bridge': '3c5b9c0e-2f0c-4b8e-9e5e-0d6f5e0b7a11',
    },
    body: line,
  });
  if (!headers['content-type']?.startsWith('text/event-stream')) return [text];
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data ?? '');
}

const query = (id: string, sql: string, more = '') =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"execute_query","arguments":{"connection":"demo","sql":${JSON.stringify(sql)}${more}},${envelope}}}`;

test.each([
  ['server/discover', `{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{${envelope}}}`],
  ['the tool list', `{"params":{ ${envelope} },"method":"tools/list","id":-7,"jsonrpc":"2.0"}`],
  [
    'a call',
    `{"jsonrpc":"2.0","id":"ü☕\\n","method":"tools/call","params":{"name":"list_connections","arguments":{},${envelope}}}`,
  ],
  [
    'a description',
    `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"describe_table","arguments":{"connection":"demo","table":"payments"},${envelope}}}`,
  ],
  [
    'a query',
    query(
      '4',
      "select 9007199254740993 as big, 1.10 as exact, 'caf\u00e9 \u2603 \ud83d\udea2' as text, x'00ff' as bytes",
    ),
  ],
  ['a statement the database refuses', query('5', 'select * from no_such_table')],
  ['a write that is denied', query('6', 'delete from payments where id = 1')],
  ['an argument of a wrong type', query('7', 'select 1', ',"max_rows":"many"')],
  ['an integer no double holds as an argument', query('8', 'select ?', ',"parameters":[9007199254740993]')],
  ['an unknown tool', `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"no_such_tool",${envelope}}}`],
  ['an unknown method', `{"jsonrpc":"2.0","id":10,"method":"no/such","params":{${envelope}}}`],
  [
    'a version of the future',
    `{"jsonrpc":"2.0","id":11,"method":"tools/list","params":{${envelope.replace('2026-07-28', '2031-01-01')}}}`,
  ],
  ['an envelope that lacks something', '{"jsonrpc":"2.0","id":12,"method":"server/discover","params":{}}'],
  [
    'a subscription to nothing',
    `{"jsonrpc":"2.0","id":13,"method":"subscriptions/listen","params":{"notifications":{},${envelope}}}`,
  ],
  [
    'a long query that tells its progress',
    query(
      '14',
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 6000000) select max(i) from n',
    ).replace('"_meta":{', '"_meta":{"progressToken":"p",'),
  ],
])(
  '%s',
  async (_, line) => {
    // A refused request that waits for its user gets another answer when it comes again.
    const direct = await overHttp(line.replace('where id = 1', 'where id = 2'));
    const from = bridge.lines.length;
    bridge.send(line);
    const isAnswer = (text: string): boolean => !JSON.parse(text).method;
    await until(() => bridge.lines.slice(from).some(isAnswer), 'it is answered', 50);
    const through = bridge.lines.slice(from);
    expect(through.filter(isAnswer).map(timeless)).toEqual(direct.filter(isAnswer).map(timeless));
    // How often progress is reported depends on the duration.
    const [notification = ''] = direct.filter(text => !isAnswer(text));
    if (notification !== '' && !isAnswer(through[0] ?? '')) expect(through[0]).toBe(notification);
  },
  60_000,
);

describe('a large message', () => {
  const ofBytes = (id: string, bytes: number, era: string): string => {
    const around = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"list_connections","arguments":{"x":""}${era}}}`;
    return around.replace('"x":""', `"x":"${'x'.repeat(bytes - around.length)}"`);
  };

  test('of one mebibyte is the daemon\u2019s to answer, in both eras', async () => {
    // The bridge adds what the older era lacks.
    for (const [id, bytes, era] of [
      ['"m"', maxBodyBytes, `,${envelope}`],
      ['"l"', maxBodyBytes - 500, ''],
    ] as const) {
      bridge.send(ofBytes(id, bytes, era));
      const { error, result } = await bridge.answer(JSON.parse(id), 60_000);
      if (era === '') expect(JSON.stringify(result)).toContain('invalid_argument: list_connections has no argument');
      else expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('x') });
    }
  }, 120_000);

  test.each([
    ['a byte too large', maxBodyBytes + 1],
    ['five mebibytes too large', maxBodyBytes + 5 * 1024 * 1024],
  ])(
    '%s is refused by the daemon, reported under its id and on stderr',
    async (what, bytes) => {
      bridge.send(ofBytes(JSON.stringify(what), bytes, `,${envelope}`));
      const { error } = await bridge.answer(what, 60_000);
      expect(error).toMatchObject({
        code: -33005,
        message: expect.stringContaining(`larger than ${maxBodyBytes} bytes`),
      });
      expect(bridge.stderr).toContain(error?.message);
      expect((await bridge.ask(legacy(`after ${what}`, 'ping'))).result).toEqual({});
    },
    120_000,
  );
});
