import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import type { LeaseError } from './lease-error.ts';
import { LeaseTable } from './lease-table.ts';

const test = suite('lease');

function setUp() {
  const clock = new SteppedClock();
  const expired: string[] = [];
  let n = 0;
  const table = new LeaseTable({
    clock,
    randomId: () => `id-${++n}`,
    onExpired: (owner) => expired.push(owner),
  });
  return { clock, expired, table };
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as LeaseError).code;
  }
  return 'none';
}

test('SVC-036 a held lease refuses every other taker and actuation, naming owner and remaining time', async () => {
  const { clock, table } = setUp();
  const lease = table.take('run-17', 10_000);
  await clock.advance(2800);
  try {
    table.take('other', 5000);
    assert.unreachable();
  } catch (error) {
    const { code, owner, expiresInMs } = error as LeaseError;
    assert.equal([code, owner, expiresInMs], ['lease_held', 'run-17', 7200]);
  }
  assert.is(
    codeOf(() => table.authorize(undefined)),
    'lease_held',
  );
  assert.is(
    codeOf(() => table.authorize('made-up')),
    'lease_held',
  );
  assert.is(table.authorize(lease.id), 'leased');
});

test('SVC-036 a lease that is not renewed expires once, and renewing keeps it', async () => {
  const { clock, expired, table } = setUp();
  const lease = table.take('run', 3000);
  for (let i = 0; i < 5; i++) {
    await clock.advance(2000);
    table.renew(lease.id);
  }
  assert.equal(expired, []);
  await clock.advance(2999);
  assert.equal(expired, []);
  await clock.advance(1);
  assert.equal(expired, ['run']);
  await clock.advance(60_000);
  assert.equal(expired, ['run']);
  assert.is(clock.pending, 0);
});

test('SVC-036 an expired or revoked id is lost for actuation and gone for renewal', async () => {
  const { clock, table } = setUp();
  const first = table.take('a', 1000);
  await clock.advance(1000);
  assert.is(
    codeOf(() => table.authorize(first.id)),
    'lease_lost',
  );
  assert.is(
    codeOf(() => table.renew(first.id)),
    'lease_gone',
  );
  const second = table.take('b', 1000);
  assert.is(
    codeOf(() => table.authorize(first.id)),
    'lease_lost',
  );
  table.revoke('the safe state ran (operator)');
  assert.is(
    codeOf(() => table.authorize(second.id)),
    'lease_lost',
  );
  assert.is(
    codeOf(() => table.release(second.id)),
    'lease_gone',
  );
  assert.is(table.authorize(undefined), 'manual');
});

test('a request with an expired lease is refused with the reason', async () => {
  const clock = new SteppedClock();
  let ids = 0;
  const table = new LeaseTable({ clock, randomId: () => `id-${ids++}`, onExpired: () => {} });
  const told = (action: () => unknown) => {
    try {
      action();
      return 'nothing';
    } catch (error) {
      return (error as LeaseError).message;
    }
  };
  const revoked = table.take('a', 1000);
  table.revoke('the safe state ran (operator)');
  const given = table.take('b', 1000);
  table.release(given.id);
  const late = table.take('c', 1000);
  await clock.advance(1000);
  for (const [id, why] of [
    [revoked.id, ': the safe state ran (operator)'],
    [given.id, ': its holder gave it back'],
    [late.id, ': it was not renewed in time'],
    ['other', ''],
  ] as const) {
    const lost = told(() => table.authorize(id));
    assert.is(lost, `the lease named by X-Lease-Id has ended${why}; take a new one`);
    const gone = why === '' ? 'unknown lease id' : `the lease has ended${why}`;
    assert.is(
      told(() => table.renew(id)),
      `${gone}; take a new one`,
    );
  }
});

test('an expired lease is refused even when its timer is late', () => {
  let now = 0;
  const clock = {
    now: () => now,
    monotonic: () => now,
    sleep: () => Promise.resolve(),
    after: () => () => {},
  };
  const expired: string[] = [];
  const table = new LeaseTable({ clock, randomId: () => 'id', onExpired: (owner) => expired.push(owner) });
  const lease = table.take('run', 1000);
  now = 1000;
  assert.is(
    codeOf(() => table.authorize(lease.id)),
    'lease_lost',
  );
  assert.equal(expired, ['run']);
});

test.run();
