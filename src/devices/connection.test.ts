import * as assert from 'uvu/assert';
import { SteppedClock } from '../lib/clock/stepped-clock.ts';
import { suite } from '../test-kit/suite.ts';
import { BytePipe } from '../transports/memory/byte-pipe.ts';
import { stepUntil } from '../transports/memory/stepping.ts';
import { Connection } from './connection.ts';
import { DeviceError } from './device-error.ts';

const test = suite('connection');

const never = new AbortController().signal;
const ends = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: DeviceError) => `${error.code} ${error.reason}`,
  );
const silence = () => new DeviceError('device_timeout', 'no answer', { reason: 'no_reply', sent: true });

function made(setUp?: (signal: AbortSignal) => Promise<void>) {
  const clock = new SteppedClock();
  const pipe = new BytePipe();
  const connection = new Connection({ transport: pipe, clock, ...(setUp ? { setUp } : {}) });
  const states: string[] = [];
  connection.onState((state) => states.push(state));
  return { clock, pipe, connection, states };
}

test('an opening that fails says why, also later, and nothing goes on', async () => {
  const { clock, pipe, connection, states } = made();
  assert.is(await ends(connection.ready(never)), 'device_unavailable closed');
  pipe.unplug();
  assert.is(await ends(connection.open()), 'device_unavailable port_absent');
  assert.is(await ends(connection.ready(never)), 'device_unavailable port_absent');
  assert.equal([connection.state, clock.pending, states], ['closed', 0, ['opening', 'closed']]);
  pipe.plug();
  await connection.open();
  assert.equal([connection.state, connection.lastFault, connection.generation], ['open', undefined, 1]);
});

test('everybody who opens at the same time gets the end of one opening', async () => {
  const { connection, pipe } = made();
  await Promise.all([connection.open(), connection.open(), connection.ready(never)]);
  assert.is(pipe.opens, 1);
});

test('DEV-043 work waits for a handle that is opened anew, and is given up with its caller', async () => {
  const { clock, connection } = made();
  await connection.open();
  connection.reopen(silence());
  assert.is(connection.state, 'opening');
  const waiting = ends(connection.ready(never));
  const cancel = new AbortController();
  const given = ends(connection.ready(cancel.signal));
  cancel.abort(new DeviceError('aborted', 'enough', { reason: 'caller' }));
  assert.is(await given, 'aborted caller');
  await clock.advance(200);
  assert.is(await waiting, 'resolved');
  assert.equal([connection.generation, clock.pending], [2, 0]);
});

test('DEV-042 a device that is gone fails work at once, is tried for ever, and is found within 5 s', async () => {
  const { clock, pipe, connection, states } = made();
  await connection.open();
  pipe.unplug();
  assert.is(await ends(connection.ready(never)), 'device_unavailable port_gone');
  await clock.advance(100_000);
  assert.is(await ends(connection.ready(never)), 'device_unavailable port_absent');
  pipe.plug();
  await clock.advance(4500);
  assert.equal(states, ['opening', 'open', 'absent', 'open']);
});

test('DEV-044 who is in a hurry waits for no back-off, and for one attempt only', async () => {
  const { clock, pipe, connection } = made();
  await connection.open();
  pipe.unplug();
  await clock.advance(30_000);
  assert.is(await ends(connection.ready(never, true)), 'device_unavailable port_absent');
  pipe.plug();
  assert.is(await ends(connection.ready(never, true)), 'resolved');
  connection.reopen();
  assert.is(await ends(connection.ready(never, true)), 'resolved');
  assert.is(clock.pending, 0);
});

test('an open sequence that fails is an opening that failed; its time-out is not that of the work that waits', async () => {
  let fault: DeviceError | undefined = silence();
  const { clock, pipe, connection } = made(async () => {
    if (fault) throw fault;
  });
  assert.is(await ends(connection.open()), 'device_timeout no_reply');
  assert.is(pipe.isOpen, false);
  connection.keepOpen();
  await clock.advance(0);
  assert.is(connection.state, 'absent');
  const error = await connection.ready(never).catch((thrown: DeviceError) => thrown);
  assert.ok(error instanceof DeviceError);
  assert.equal([error.code, error.reason, error.sent], ['device_unavailable', 'no_reply', false]);
  fault = undefined;
  await clock.advance(5000);
  assert.is(connection.state, 'open');
});

test('DEV-042 a device that goes in the last moment of its opening is not called open', async () => {
  let isGoing = true;
  const { clock, pipe, connection, states } = made(async () => {
    if (isGoing) pipe.unplug();
  });
  assert.is(await ends(connection.open()), 'device_unavailable port_gone');
  assert.equal(states, ['opening', 'closed']);
  isGoing = false;
  pipe.plug();
  await connection.open();
  assert.equal([connection.state, clock.pending], ['open', 0]);
});

test('closed in the middle of an opening: that one ends behind it, and the next one stays', async () => {
  const { clock, pipe, connection } = made((signal) => clock.sleep(50, signal));
  const first = ends(connection.open());
  await clock.advance(10);
  const closing = connection.close();
  const second = ends(connection.open());
  await closing;
  assert.is(await first, 'device_unavailable closed');
  assert.is(await stepUntil(clock, second), 'resolved');
  assert.equal([connection.state, pipe.isOpen, pipe.opens], ['open', true, 2]);
  await connection.close();
  assert.equal([pipe.isOpen, clock.pending], [false, 0]);
});

test('a handle that cannot be closed does not hide why it was to be, and does not end the attempts', async () => {
  const { clock, pipe, connection } = made();
  await connection.open();
  pipe.close = async () => {
    throw new Error('EIO');
  };
  connection.lost(silence());
  assert.is(await ends(connection.ready(never)), 'device_unavailable no_reply');
  await clock.advance(200);
  assert.is(connection.state, 'open');
});

test.run();
