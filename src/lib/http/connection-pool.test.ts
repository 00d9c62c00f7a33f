import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { type Admitted, ConnectionPool } from './connection-pool.ts';

const test = suite('pool of connections');

function poolOf(limit: number) {
  const pool = new ConnectionPool<Admitted>(limit);
  const shed: string[] = [];
  const add = (name: string) => {
    const connection: Admitted = {
      shed: () => {
        shed.push(name);
        pool.delete(connection);
      },
    };
    pool.add(connection);
    return connection;
  };
  return { pool, shed, add };
}

test('SVC-058 the oldest connection without a head makes room first, then the one that has waited longest since its answer', () => {
  const { pool, shed, add } = poolOf(4);
  const [answered, , recent] = [add('answered'), add('half a head'), add('answered later')];
  pool.noteBusy(answered, true);
  pool.noteBusy(recent, true);
  pool.noteBusy(answered, false);
  pool.noteBusy(recent, false);
  const busy = add('busy');
  pool.noteBusy(busy, true);
  for (const name of ['a', 'b']) {
    assert.is(pool.makeRoom(), true);
    pool.noteBusy(add(name), true);
  }
  assert.equal(shed, ['half a head', 'answered']);
});

test('SVC-058 connections with a request under way are never closed for a new one', () => {
  const { pool, shed, add } = poolOf(2);
  const [one] = [add('one'), add('two')].map((connection) => {
    pool.noteBusy(connection, true);
    return connection;
  });
  assert.is(pool.makeRoom(), false);
  assert.ok(one);
  pool.noteBusy(one, false);
  assert.is(pool.makeRoom(), true);
  assert.equal(shed, ['one']);
  assert.is(pool.size, 1);
});

test('a connection that has left is not taken up again when its last answer ends', () => {
  const { pool, shed, add } = poolOf(1);
  const gone = add('gone');
  pool.noteBusy(gone, true);
  pool.delete(gone);
  pool.noteBusy(gone, false);
  pool.noteBusy(add('here'), true);
  assert.is(pool.makeRoom(), false);
  assert.equal(shed, []);
});

test.run();
