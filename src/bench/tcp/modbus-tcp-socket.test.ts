import * as assert from 'uvu/assert';
import type { DeviceError } from '../../devices/device-error.ts';
import { ModbusIo } from '../../devices/modbus-io/driver.ts';
import { ModbusIoTwin } from '../../devices/modbus-io/twin.ts';
import { ModbusTcpMaster } from '../../devices/modbus-tcp/tcp-master.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { TcpTransport } from '../../transports/tcp/tcp-transport.ts';
import { ModbusTcpSocket } from './modbus-tcp-socket.ts';

interface Context {
  twin: ModbusIoTwin;
  socket: ModbusTcpSocket;
  masters: ModbusTcpMaster[];
  connect(): Promise<ModbusIo>;
}

const test = suite<Context>('valves over Modbus TCP');

test.before.each(async (context) => {
  context.twin = new ModbusIoTwin({ clock: systemClock, random: seededRandom(1) });
  context.socket = new ModbusTcpSocket({ responder: context.twin.responder, clock: systemClock });
  context.masters = [];
  const port = await context.socket.open();
  context.connect = async () => {
    const transport = new TcpTransport({ host: '127.0.0.1', port });
    const master = new ModbusTcpMaster({ transport, replyTimeoutMs: 100 });
    context.masters.push(master);
    await master.open();
    return new ModbusIo(master);
  };
});

test.after.each(async ({ masters, socket }) => {
  for (const master of masters) await master.close();
  await socket.close();
});

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: DeviceError) => error.code,
  );

test('DEV-045 DEV-031 the driver of the RTU line works over TCP as it is', async ({ connect, twin }) => {
  const io = await connect();
  await io.start();
  await io.setOutput(0, true);
  await io.setOutput(7, true);
  assert.equal(await io.readOutputs(), twin.coils);
  assert.equal(twin.coils, [true, false, false, false, false, false, false, true]);
  twin.knobs.patch({ coil_stuck: [7] });
  assert.is(await codeOf(io.allOff({ priority: 'safe' })), 'valve_unverified');
  twin.knobs.patch({ modes: [1, 0, 0, 0, 0, 0, 0, 0] });
  await io.start();
  assert.is(await codeOf(io.setOutput(1, true)), 'valve_mode_not_normal');
});

test('several clients are connected at once, and each gets its own answers', async ({ connect, socket }) => {
  const [first, second] = [await connect(), await connect()];
  await first.setOutput(1, true);
  const seen = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 ? first : second).readOutputs()),
  );
  assert.ok(seen.every((outputs) => outputs[1] === true));
  assert.is(socket.clients, 2);
});

for (const [knob, patch, code] of [
  ['silent', { silent: true }, 'device_timeout'],
  ['deaf', { deaf: true }, 'device_timeout'],
  ['late_ms', { late_ms: 5000 }, 'device_timeout'],
  ['truncate', { truncate: 5 }, 'corrupt_response'],
  ['foreign', { foreign: true }, 'corrupt_response'],
  ['exception', { exception: 4 }, 'modbus_exception'],
  ['device_id', { device_id: 2 }, 'device_timeout'],
] as const) {
  test(`DEV-045 with the knob ${knob} a reading is ${code}, never a value, and it recovers`, async (context) => {
    const io = await context.connect();
    await io.setOutput(4, true);
    context.twin.knobs.patch(patch);
    assert.is(await codeOf(io.readOutputs()), code);
    context.twin.knobs.reset();
    assert.is((await io.readOutputs())[4], true);
  });
}

test('DEV-042 a server that went away and came back is found again without a restart', async (context) => {
  const io = await context.connect();
  await io.setOutput(2, true);
  await context.socket.close();
  const stateIs = (wanted: string) => context.masters[0]?.state === wanted;
  while (stateIs('open')) await systemClock.sleep(5);
  assert.is(await codeOf(io.readOutputs()), 'device_unavailable');
  await context.socket.open();
  while (!stateIs('open')) await systemClock.sleep(20);
  assert.is((await io.readOutputs())[2], true);
});

test('a malformed request closes the connection', async ({ socket }) => {
  const transport = new TcpTransport({ host: socket.host, port: socket.port ?? 0 });
  await transport.open();
  const closed = new Promise((resolve) => transport.onClosed(resolve));
  await transport.write(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
  await closed;
});

test.run();
