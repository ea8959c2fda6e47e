/**
 * Ways to take the engine's wall down, each as what a client sends: `Q` a Query for each text, `E`
 * all texts in one cycle of the extended protocol, `EE` each with a Sync of its own, all sent at
 * once. A private server alone, without a door, is changed by them.
 */

export type Sent = readonly ['Q' | 'E' | 'EE', ...texts: string[]];

const insert = "insert into m values ('x')";

export const ways: readonly (readonly [name: string, ...Sent[]])[] = [
  ['plain insert', ['Q', insert]],
  ['set default off, insert', ['Q', 'set default_transaction_read_only=off', insert]],
  ['set default off in the same cycle', ['E', 'set default_transaction_read_only=off', insert]],
  ['set session characteristics', ['Q', 'set session characteristics as transaction read write', insert]],
  ['begin read write', ['Q', 'begin read write', insert, 'commit']],
  ['begin read write in one cycle', ['E', 'begin read write', insert, 'commit']],
  ['set transaction read write', ['Q', 'begin', 'set transaction read write', insert, 'commit']],
  ['set transaction_read_only', ['Q', 'begin', 'set transaction_read_only=off', insert, 'commit']],
  ['set local', ['Q', 'begin', 'set local transaction_read_only=off', insert, 'commit']],
  ['two statements in a Query', ['Q', `set transaction read write;${insert}`]],
  ['commit and begin in a Query', ['Q', `select 1;commit;begin read write;${insert};commit`]],
  ['commit and begin in a cycle', ['E', 'select 1', 'commit', 'begin read write', insert, 'commit']],
  ['reset all', ['Q', 'reset all', insert]],
  ['discard all', ['Q', 'discard all', insert]],
  ['reset the default', ['Q', 'reset default_transaction_read_only', insert]],
  ['set to default', ['Q', 'set default_transaction_read_only to default', insert]],
  ['set_config', ['Q', "select set_config('default_transaction_read_only','off',false)", insert]],
  ['set_config in the same cycle', ['E', "select set_config('transaction_read_only','off',true)", insert]],
  ['set_config, computed', ['Q', "select set_config('default_'||'transaction_read_only','of'||'f',false)", insert]],
  ['a function switches it off', ['Q', 'select f_off()', 'select f_write()']],
  ['one function, twice', ['Q', 'select f_both()', 'select f_both()']],
  ['a view over it, twice', ['Q', 'select * from v', 'select * from v']],
  ['a function that sets', ['Q', 'select f_set()']],
  ["a function's SET clause", ['Q', 'select f_set2()', 'select f_set2()']],
  ['DO commits', ['Q', "do $$ begin commit; set transaction read write; insert into m values('d'); end $$"]],
  ['DO commits in a cycle', ['E', "do $$ begin commit; set transaction read write; insert into m values('d'); end $$"]],
  ['CALL commits', ['Q', 'call p_commit()']],
  ['CALL switches off and commits', ['Q', 'call p_off()']],
  ['prepare and execute', ['Q', "prepare q as insert into m values('q')", 'execute q']],
  [
    'prepare a setting',
    ['Q', "prepare q as select set_config('default_transaction_read_only','off',false)", 'execute q', insert],
  ],
  [
    'a cursor that outlives its transaction',
    [
      'Q',
      'begin',
      'declare c cursor with hold for select f_both()',
      'commit',
      'fetch c',
      'declare d cursor with hold for select f_write()',
    ],
  ],
  ['set role', ['Q', 'set role rw', insert]],
  ['session authorization', ['Q', 'set session authorization rw', insert]],
  ['commit and chain', ['Q', 'begin', 'select 1', 'commit and chain', 'set transaction read write', insert, 'commit']],
  ['rollback and chain', ['Q', 'begin', 'rollback and chain', 'set transaction read write', insert, 'commit']],
  ['savepoint', ['Q', 'begin', 'savepoint a', 'set transaction read write', insert, 'commit']],
  ['copy from a program', ['Q', "copy m from program 'echo x'"]],
  [
    'copy to a program',
    ['Q', `copy (select 1) to program 'psql -h FOLDER -p PORT -U postgres shop -c "${'insert into m values(5)'}"'`],
  ],
  ['large object', ['Q', 'select lo_create(0)']],
  ['alter role', ['Q', 'alter role postgres set default_transaction_read_only=off']],
  ['alter system', ['Q', "alter system set work_mem='5MB'"]],
  ['pipelined cycles', ['EE', 'set default_transaction_read_only=off', insert]],
  ['one function, pipelined', ['EE', 'select f_both()', 'select f_both()']],
  ['isolation level and mode', ['E', 'begin isolation level serializable read write', insert, 'commit']],
  ['nextval', ['Q', "select nextval('customers_id_seq')"]],
  ['vacuum', ['Q', 'vacuum m']],
  ['notify', ['Q', "notify x, 'y'"]],
  ['two-phase commit', ['Q', 'begin', "prepare transaction 'a'"]],
  ['a message in the log of changes', ['Q', "select pg_logical_emit_message(false,'a','b')"]],
];
