import * as assert from 'uvu/assert';
import { systemClock as clock } from '../../src/lib/clock/clock.ts';
import { suite } from '../../src/test-kit/suite.ts';
import { Guest } from './host/guest.ts';
import { GuestBench } from './host/guest-bench.ts';
import { until } from './host/until.ts';
import { guestImage, guestMissing } from './prepare/guest-image.ts';

const test = suite('the sensor service on an I2C adapter of a guest kernel');
const missing = guestMissing();
const inGuest = test.needs(missing === undefined, missing ?? '');

/** A guest without KVM beside other work is slow. */
const BOOT = { timeoutMs: 240_000 };
const SLOW = { timeoutMs: 240_000 };
const SOON_MS = 60_000;

const ADC = [0x04d8, 0x00dd] as const;
const BUS = '/dev/i2c-0';
const INPUTS = ['ai01', 'ai02', 'ai03', 'ai04'];

let bench: GuestBench;
let guest: Guest;

test.before(async () => {
  if (missing !== undefined) return;
  bench = await GuestBench.overUsbip();
  guest = await Guest.boot(guestImage(), clock);
}, BOOT);

/** What a test before this one has left. The kernel's driver cancels a transfer before the chip's first one. */
test.before.each(async () => {
  await bench?.turn('usbhid', { i2c_map: [0x48], cancel_wedges: false, silent: false, sda_stuck: false });
  await bench?.turn('ads1115', { slow: false, foreign_config: false });
});

test.after(async () => {
  await guest?.end();
  await bench?.end();
});

const soon = <T>(what: string, look: () => Promise<T>, isWanted: (seen: T) => boolean) =>
  until(clock, what, SOON_MS, look, isWanted);

const attach = () =>
  guest.ask('run', 'usbip', '--tcp-port', String(bench.port), 'attach', '-r', '10.0.2.2', '-b', '1-1');

const read = (input: string) => guest.ask('getSensors', `/api/v1/hardware/sensor/${input}`);
type Answer = Awaited<ReturnType<typeof read>>;

/** A reading that the service gives by itself again: whatever it does for that, it does on its own. */
const readAgain = () =>
  soon(
    'there are readings again',
    () => read('ai01'),
    ({ status }) => status === 200,
  );

/** No answer but an error may come without the voltage that the bench was told. */
function refusal({ status, body }: Answer): { code: unknown; text: string } {
  assert.ok(status >= 500, `it was not refused: ${JSON.stringify(body)}`);
  assert.equal([body.ok, body.value], [false, undefined]);
  return { code: body.code, text: String(body.error) };
}

const health = async () => {
  const { body } = await guest.ask('getSensors', '/health?wait_ms=2500');
  return [body.ok, body.status];
};

/** Tells the bench four voltages in counts of the converter, and compares the readings of the four inputs with them. */
async function compare(counts: readonly number[]): Promise<void> {
  const volts = counts.map((count) => (count * 125) / 1_000_000);
  await bench.turn('ads1115', Object.fromEntries(volts.map((value, pin) => [`ain${pin}_v`, value])));
  for (const [index, input] of INPUTS.entries()) {
    const { status, body } = await read(input);
    assert.equal(
      [status, body.physical_input, body.raw, body.value, body.saturated, body.source],
      [200, `ADS1115.AIN${index}`, counts[index], volts[index], false, `${BUS}#0x48`],
    );
  }
}

inGuest(
  'DEV-057 the service sends nothing while the kernel sets up the adapter, and reads by itself once it is ready',
  async () => {
    await attach();
    await soon(
      'the chip is there',
      () => guest.ask('findHid', ...ADC),
      (found) => found.length === 1,
    );
    await guest.ask('startSensors', { SVC_I2C_BUS: '0' });
    const settingUp = guest.ask('run', 'insmod', '/modules/hid_mcp2221.ko');
    // First there is no such node, then it is there and not to be used yet.
    await soon(
      'the service says what it waits for',
      async () => refusal(await read('ai01')),
      ({ code, text }) =>
        code === 'device_unavailable' && /the kernel is still setting up \/dev\/i2c-0/.test(text),
    );
    await settingUp;
    await readAgain();
    const { trace } = await bench.trace('usbhid');
    const commands = trace.flatMap(({ kind, bytes }) => (kind === 'in' ? [String(bytes).slice(0, 2)] : []));
    const lastOfKernel = commands.lastIndexOf('51');
    assert.ok(lastOfKernel > 0 && commands.indexOf('90') > lastOfKernel, commands.join(' '));
    assert.equal(await health(), [true, 'ok']);
  },
  SLOW,
);

inGuest(
  'DEV-057 each of the four inputs reads the voltage that the bench was told, to the last of 32768 steps',
  async () => {
    await compare([5080, 6040, 7080, 0]);
    await compare([0, -2, 32_766, 1]);
    await compare([32_000, 1, -400, 20_000]);
    const all = await guest.ask('getSensors', `/api/v1/hardware/sensors/batch?sensor_ids=${INPUTS}`);
    assert.equal([all.status, all.body.complete], [200, true]);
  },
  SLOW,
);

inGuest('DEV-057 a voltage beyond the range is marked as saturated', async () => {
  await bench.turn('ads1115', { ain2_v: 5 });
  const { body } = await read('ai03');
  assert.equal([body.raw, body.saturated], [0x7fff, true]);
});

inGuest('DEV-046 an adapter that hangs on vhci_hcd is a bench, and each reading says so', async () => {
  assert.is(await guest.ask('isBench', BUS), true);
  assert.is((await read('ai01')).body.bench, true);
});

inGuest(
  'DEV-057 with no converter at the address there is no reading, and the message says where nothing answers',
  async () => {
    await bench.turn('usbhid', { i2c_map: [] });
    const { code, text } = refusal(await read('ai01'));
    assert.is(code, 'device_unavailable');
    assert.match(text, /no device answers at 0x48 on \/dev\/i2c-0; check wiring, power and the address pins/);
    // The probe of health and the retries of the service meet the same kernel.
    assert.equal(await health(), [false, 'not_found']);
    await bench.turn('usbhid', { i2c_map: [0x48] });
    await readAgain();
    await compare([5080, 6040, 7080, 4]);
  },
  SLOW,
);

for (const [fault, code] of [
  ['nack', 'device_unavailable'],
  ['brown_out', 'adc_foreign_config'],
] as const)
  inGuest(
    `DEV-057 ${fault} in the middle of a reading is ${code}, never a value, and the next reading is right`,
    async () => {
      await compare([5080, 6040, 7080, 4]);
      // A reading is nine transfers here. Behind the start of the conversion, the third, each of them counts.
      for (let before = 3; before < 9; before++) {
        await bench.spoil('ads1115', [
          ...new Array<Record<string, unknown>>(before).fill({}),
          { [fault]: true },
        ]);
        assert.is(refusal(await read('ai02')).code, code, `at transfer ${before}`);
        await readAgain();
        assert.is((await read('ai02')).body.raw, 6040);
      }
    },
    SLOW,
  );

for (const [knob, code] of [
  ['slow', 'device_timeout'],
  ['foreign_config', 'adc_foreign_config'],
] as const)
  inGuest(
    `DEV-057 a converter with ${knob} gives ${code} and no reading`,
    async () => {
      await bench.turn('ads1115', { [knob]: true });
      assert.is(refusal(await read('ai03')).code, code);
      await bench.turn('ads1115', { [knob]: false });
      await readAgain();
      assert.is((await read('ai03')).body.raw, 7080);
    },
    SLOW,
  );

inGuest(
  'DEV-057 DEV-043 an adapter that falls silent ends each reading at its deadline, and nothing is left waiting behind it',
  async () => {
    await bench.turn('usbhid', { silent: true });
    for (let reading = 0; reading < 4; reading++) {
      const { code, text } = refusal(await read('ai01'));
      assert.is(code, 'device_timeout');
      assert.match(text, /did not end before its deadline/);
    }
    assert.equal(await health(), [false, 'timeout']);
    await bench.turn('usbhid', { silent: false });
    await readAgain();
    await compare([5080, 6040, 7080, 4]);
  },
  SLOW,
);

/** Pulls the chip. Whoever has its adapter open keeps the kernel from ending that, and from seeing any other device. */
async function pull(): Promise<void> {
  await bench.turn('usbhid', { unplug: true });
  await soon(
    'the kernel has forgotten the chip',
    () => guest.ask('findUsb', ...ADC),
    (found) => found.length === 0,
  );
}

async function plugIn(): Promise<void> {
  await bench.turn('usbhid', { unplug: false });
  await attach();
  await readAgain();
  await compare([100, 200, 300, 400]);
}

inGuest(
  'DEV-057 DEV-042 a bus that is held low gives no reading; the adapter plugged out and in, as the message says, does again',
  async () => {
    await bench.turn('usbhid', { sda_stuck: true });
    for (let reading = 0; reading < 3; reading++) {
      const { text } = refusal(await read('ai01'));
      assert.match(text, /check SDA, SCL and supply; plug a USB adapter out and in/);
    }
    await bench.turn('usbhid', { sda_stuck: false });
    await pull();
    await plugIn();
  },
  SLOW,
);

inGuest(
  'DEV-057 DEV-042 the kernel can forget a chip that is pulled while no program reads, and it reads again after it is back',
  async () => {
    await pull();
    const { code, text } = refusal(await read('ai01'));
    assert.is(code, 'device_unavailable');
    assert.match(text, /cannot open \/dev\/i2c-0 \(ENOENT/);
    assert.equal(await health(), [false, 'not_found']);
    await plugIn();
  },
  SLOW,
);

inGuest(
  'DEV-057 DEV-042 a chip that is pulled under readings ends them with errors, never with a value',
  async () => {
    const readings = Promise.all([...INPUTS, ...INPUTS].map(read));
    await pull();
    for (const [index, answer] of (await readings).entries())
      if (answer.status === 200) assert.is(answer.body.raw, 100 * (1 + (index % 4)));
      else assert.is(refusal(answer).code, 'device_unavailable');
    assert.is(refusal(await read('ai01')).code, 'device_unavailable');
    assert.is(await guest.ask('sensorsEnded'), null);
    assert.is(await guest.ask('stopSensors'), 0);
  },
  SLOW,
);

test.run();
