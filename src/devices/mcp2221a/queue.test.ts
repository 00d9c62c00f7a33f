import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import type { DeviceError } from '../device-error.ts';
import { failure } from '../failure.ts';
import { opened } from './in-memory.ts';

const test = suite('mcp2221a driver: one at a time');

test('DEV-019 two callers never interleave: each reading is a 61 and a 10', async () => {
  const { adc, step, sent } = await opened();
  await step(Promise.all([adc.read(1), adc.readAll(), adc.read(3), adc.readMany(3), adc.verify()]));
  assert.equal(
    sent(),
    [
      // The last command of the opening was a status, so the first 61 needs no sync request.
      0x61, 0x10, 0x61, 0x10, 0x61, 0x10, 0x61, 0x10, 0x10, 0x10, 0x61,
    ],
  );
});

test('DEV-019 never is a second command sent while one is unanswered', async () => {
  const { adc, step, twin, events } = await opened();
  twin.knobs.patch({ i2c_map: [0x48], reply_delay_ms: 3 });
  await step(Promise.all([adc.readMany(5), adc.scanI2c(), adc.identify(), adc.verify()]));
  let outstanding = 0;
  for (const event of events) {
    if (event.kind === 'in') outstanding += 1;
    if (event.kind === 'out') outstanding -= 1;
    assert.ok(outstanding === 0 || outstanding === 1);
  }
});

test('DEV-004 nothing that the driver does sends 70, B1 or B2', async () => {
  const { adc, step, twin, sent, pipe, clock } = await opened({ referenceSource: '2.048' });
  twin.knobs.patch({ i2c_map: [0x48, 0x50] });
  await step(Promise.all([adc.readAll(), adc.readMany(3), adc.identify(), adc.verify(), adc.scanI2c()]));
  twin.faultOnce({ silent: true });
  await step(failure(adc.read(1)));
  await step(adc.read(1));
  pipe.unplug();
  twin.powerUp();
  pipe.plug();
  await clock.advance(6000);
  await step(adc.read(1));
  const known = [0x10, 0x40, 0x51, 0x60, 0x61, 0x91, 0xb0];
  assert.equal(
    sent().filter((command) => !known.includes(command ?? 0)),
    [],
  );
});

test('DEV-044 a safe-state call goes ahead of waiting work and ends the running scan', async () => {
  const { adc, step, clock } = await opened();
  const order: string[] = [];
  const note = (name: string) => (end: unknown) =>
    order.push(`${name} ${(end as DeviceError).code ?? 'done'}`);
  const scan = adc.scanI2c().then(note('scan'), note('scan'));
  const waiting = adc.read(1).then(note('normal'), note('normal'));
  await clock.advance(101);
  const safe = adc.read(2, { priority: 'safe' }).then(note('safe'), note('safe'));
  await step(Promise.all([scan, waiting, safe]));
  assert.equal(order, ['scan superseded', 'safe done', 'normal done']);
});

test('a waiting caller has a deadline and can be cancelled; the seventeenth is refused', async () => {
  const { adc, step, clock } = await opened();
  const scan = adc.scanI2c();
  assert.is((await step(failure(adc.read(1, { deadlineMs: 50 })))).code, 'device_busy');
  const controller = new AbortController();
  const cancelled = failure(adc.read(1, { signal: controller.signal }));
  await clock.advance(1);
  controller.abort();
  assert.is((await step(cancelled)).code, 'aborted');
  const waiting = Array.from({ length: 16 }, () => adc.read(1));
  assert.equal(await failure(adc.read(1)).then(({ code, reason }) => [code, reason]), [
    'device_busy',
    'queue_full',
  ]);
  await step(Promise.all([scan, ...waiting]));
});

test.run();
