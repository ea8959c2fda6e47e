"""Python's drivers over a socket: what each reads, and how each is told no. Prints a JSON object of
what each step answered. Usage: drivers.py FOLDER PORT USER DATABASE"""

import asyncio
import io
import json
import sys

import asyncpg
import psycopg
import psycopg2
import psycopg2.extensions
import sqlalchemy

folder, port, user, database = sys.argv[1:]
insert = "insert into m values ('python')"
answers = {}


def step(work):
    try:
        answers[work.__name__] = work()
    except Exception as error:  # What went wrong is the answer.
        answers[work.__name__] = f'{type(error).__name__}: {error}'
    return work


def psycopg2_session():
    return psycopg2.connect(host=folder, port=port, user=user, dbname=database)


def state_of(session):
    return session.info.transaction_status


@step
def psycopg2_reads():
    session = psycopg2_session()
    cursor = session.cursor()
    cursor.execute('select count(*) from orders where id < %s', (100,))
    counted = cursor.fetchone()[0]
    session.commit()
    named = session.cursor('named')
    named.execute('select id from orders order by id')
    fetched = [len(named.fetchmany(10)), len(named.fetchall())]
    session.commit()
    session.close()
    return [counted, *fetched]


@step
def psycopg2_copies():
    session = psycopg2_session()
    copied = io.StringIO()
    session.cursor().copy_expert('copy (select id, total from orders order by id limit 2) to stdout csv', copied)
    session.close()
    return copied.getvalue()


@step
def psycopg2_levels():
    session = psycopg2_session()
    session.set_session(isolation_level='SERIALIZABLE', readonly=True, deferrable=True)
    cursor = session.cursor()
    cursor.execute('show transaction_isolation')
    level = cursor.fetchone()[0]
    session.rollback()
    session.close()
    return level


@step
def psycopg2_writes():
    session = psycopg2_session()
    cursor = session.cursor()
    cursor.execute('select 1')
    try:
        cursor.execute(insert)
        return 'WROTE'
    except psycopg2.Error as error:
        code = error.pgcode
    failed = state_of(session)
    session.rollback()
    cursor.execute('select 2')
    read = cursor.fetchone()[0]
    session.rollback()
    session.autocommit = True
    try:
        cursor.execute(insert)
        return 'WROTE'
    except psycopg2.Error as error:
        alone = error.pgcode
    idle = state_of(session)
    try:
        cursor.copy_expert('copy m from stdin', io.StringIO('python\n'))
        return 'COPIED'
    except psycopg2.Error as error:
        copied = error.pgcode
    session.close()
    return [code, failed, read, alone, idle, copied]


@step
def psycopg2_read_write_session():
    session = psycopg2_session()
    session.set_session(readonly=False)
    try:
        session.cursor().execute(insert)
        session.commit()
        return 'WROTE'
    except psycopg2.Error as error:
        return error.pgcode
    finally:
        session.close()


def psycopg_session(**given):
    return psycopg.connect(host=folder, port=port, user=user, dbname=database, **given)


@step
def psycopg3_reads():
    with psycopg_session() as session:
        row = session.execute('select name from customers where id = %s', (5,)).fetchone()
        for _ in range(7):
            session.execute('select count(*) from orders where customer_id = %s', (5,), prepare=True)
        with session.cursor('named') as named:
            named.execute('select id from orders')
            fetched = len(named.fetchmany(3))
        with session.cursor(binary=True) as binary:
            total = str(binary.execute('select total from orders where id = 9').fetchone()[0])
        with session.cursor().copy('copy (select 7) to stdout') as copy:
            copied = b''.join(bytes(block) for block in copy).decode()
        return [row[0], fetched, total, copied]


@step
def psycopg3_pipelines():
    with psycopg_session(autocommit=True) as session:
        codes = []
        with session.pipeline() as pipeline:
            first = session.execute('select 1')
            pipeline.sync()
            try:
                session.execute(insert)
                pipeline.sync()
            except psycopg.Error as error:
                codes.append(error.sqlstate)
        third = session.execute('select 3').fetchone()[0]
        return [first.fetchone()[0], codes, third, session.info.transaction_status.name]


@step
def psycopg3_writes():
    with psycopg_session() as session:
        answered = []
        try:
            session.execute(insert)
            return 'WROTE'
        except psycopg.Error as error:
            answered += [error.sqlstate, session.info.transaction_status.name]
        session.rollback()
        session.execute('select 1')
        try:
            with session.transaction():
                session.execute(insert, prepare=True)
            return 'WROTE'
        except psycopg.Error as error:
            answered += [error.sqlstate, session.info.transaction_status.name]
        answered.append(session.execute('select 2').fetchone()[0])
        session.rollback()
        try:
            session.cursor().executemany('insert into m values (%s)', [('a',), ('b',)])
            return 'WROTE'
        except psycopg.Error as error:
            answered.append(error.sqlstate)
        session.rollback()
        return answered


async def asyncpg_steps():
    session = await asyncpg.connect(host=folder, port=int(port), user=user, database=database)
    row = await session.fetchrow('select name, $2::text[] as list from customers where id = $1', 7, ['a'])
    async with session.transaction(readonly=True, isolation='repeatable_read'):
        counted = await session.fetchval('select count(*) from orders')
        pages = [found['id'] async for found in session.cursor('select id from orders order by id limit 120')]
    refused = []
    for write in (session.execute(insert), session.fetch('insert into m values ($1) returning a', 'x')):
        try:
            await write
            refused.append('WROTE')
        except asyncpg.PostgresError as error:
            refused.append(error.sqlstate)
    try:
        await session.copy_records_to_table('m', records=[('a',)])
        refused.append('COPIED')
    except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        refused.append(getattr(error, 'sqlstate', str(error)))
    copied = io.BytesIO()
    await session.copy_from_query('select 1', output=copied)
    after = [await session.fetchval('select 4'), session.is_in_transaction()]
    await session.close()
    return [row['name'], row['list'], counted, len(pages), refused, copied.getvalue().decode(), *after]


@step
def asyncpg_reads_and_writes():
    return asyncio.run(asyncpg_steps())


async def pool_steps():
    async with asyncpg.create_pool(
        host=folder, port=int(port), user=user, database=database, min_size=1, max_size=2
    ) as pool:
        # A session is reset when it comes back.
        return [await pool.fetchval('select $1::integer', number) for number in range(3)]


@step
def asyncpg_pool():
    return asyncio.run(pool_steps())


def engine_with(**given):
    return sqlalchemy.create_engine(
        f'postgresql+psycopg2://{user}@/{database}?host={folder}&port={port}', **given
    )


@step
def sqlalchemy_reflects():
    engine = engine_with()
    inspector = sqlalchemy.inspect(engine)
    keys = inspector.get_foreign_keys('orders')[0]['referred_table']
    indexes = [index['name'] for index in inspector.get_indexes('orders')]
    tables = sqlalchemy.MetaData()
    tables.reflect(engine)
    columns = [column.name for column in tables.tables['customers'].columns]
    with engine.connect() as session:
        total = session.execute(sqlalchemy.text('select sum(total) from orders')).scalar()
    return [sorted(tables.tables), columns, keys, indexes, str(total)]


@step
def sqlalchemy_writes():
    answered = []
    for given in ({}, {'isolation_level': 'AUTOCOMMIT'}, {'isolation_level': 'SERIALIZABLE'}):
        engine = engine_with(**given)
        with engine.connect() as session:
            try:
                session.execute(sqlalchemy.text(insert))
                return 'WROTE'
            except sqlalchemy.exc.DBAPIError as error:
                answered.append(error.orig.pgcode)
        with engine.connect() as session:
            answered.append(session.execute(sqlalchemy.text('select 5')).scalar())
        engine.dispose()
    return answered


print(json.dumps(answers))
