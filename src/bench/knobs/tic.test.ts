import * as assert from 'uvu/assert';
import { TicT249 } from '../../devices/tic/driver.ts';
import { codeOf, provesKnobs, until } from '../../test-kit/bench/on-bench.ts';
import { openUsbControl } from '../../transports/open.ts';
import type { Bench } from '../bench.ts';

/** 1000 step/s. */
const SPEED = 10_000_000;
const FORWARD = { direction: 'forward', speed: SPEED } as const;
const REVERSE = { direction: 'reverse', speed: SPEED } as const;

async function connect(bench: Bench) {
  const tic = new TicT249(openUsbControl(bench.addresses.tic));
  await tic.open();
  return {
    client: tic,
    // Where the twin is unplugged at the end, nothing can be proven any more, and nothing is to be.
    close: () => tic.close().catch(() => {}),
  };
}

const test = provesKnobs({
  device: 'tic',
  listed: [
    'vin_mv',
    'forward_limit',
    'reverse_limit',
    'driver_error',
    'no_motion',
    'kill_switch',
    'command_timeout_ms',
    'unplug',
    'firmware',
  ],
  connect,
  effects: {
    vin_mv: [
      'a supply that is too low for the lung refuses the start, though the chip does not mind it',
      async (tic, turn) => {
        assert.is((await tic.status()).vinMv, 24_000);
        await turn({ vin_mv: 9000 });
        assert.is((await tic.status()).vinMv, 9000);
        assert.is(await codeOf(tic.velocity(FORWARD)), 'lung_low_vin');
      },
    ],
    forward_limit: [
      'blocks the way forward and not the way back',
      async (tic, turn, bench) => {
        await turn({ forward_limit: true });
        assert.is((await tic.status()).forwardLimitActive, true);
        assert.is(await codeOf(tic.velocity(FORWARD)), 'lung_limits_blocked');
        await tic.velocity(REVERSE);
        assert.ok(bench.outputs.lung.velocity < 0);
      },
    ],
    reverse_limit: [
      'blocks the way back; both switches block every way',
      async (tic, turn, bench) => {
        await turn({ reverse_limit: true });
        assert.is(await codeOf(tic.velocity(REVERSE)), 'lung_limits_blocked');
        await turn({ forward_limit: true });
        const error = await tic.velocity(FORWARD).catch((thrown: Error) => thrown);
        assert.match((error as Error).message, /Both limit switches are active; movement is blocked/);
        assert.is(bench.outputs.lung.energized, false);
      },
    ],
    driver_error: [
      'refuses the start',
      async (tic, turn) => {
        await turn({ driver_error: 'over_temperature' });
        assert.is((await tic.status()).motorDriverError, true);
        assert.is(await codeOf(tic.velocity(FORWARD)), 'device_error');
      },
    ],
    no_motion: [
      'a start without motion has failed, and leaves the motor without current',
      async (tic, turn, bench) => {
        await turn({ no_motion: true });
        assert.is(await codeOf(tic.velocity(FORWARD)), 'lung_start_failed');
        assert.is(bench.outputs.lung.energized, false);
      },
    ],
    kill_switch: [
      'ends a motion and is reported',
      async (tic, turn, bench) => {
        const motion = await tic.velocity(FORWARD);
        await turn({ kill_switch: true });
        assert.is((await motion.ended).reason, 'failed');
        assert.equal([bench.outputs.lung.velocity, bench.outputs.lung.energized], [0, false]);
      },
    ],
    command_timeout_ms: [
      'a motor whose master falls silent stops by itself within its time',
      async (_, turn, bench) => {
        await turn({ command_timeout_ms: 200 });
        // A master that begins a motion and is never heard of again.
        const usb = openUsbControl(bench.addresses.tic);
        await usb.open();
        for (const [request, value, index] of [
          [0x85, 0, 0],
          [0x83, 0, 0],
          [0xe3, 0x9680, 0x98],
        ] as const)
          await usb.controlOut({ request, value, index });
        await until(() => bench.outputs.lung.velocity > 0);
        await until(() => bench.outputs.lung.velocity === 0);
        await usb.close();
      },
    ],
    unplug: [
      'the device is gone, and the driver finds it when it returns',
      async (tic, turn, bench) => {
        await turn({ unplug: true });
        await until(() => tic.state === 'absent');
        assert.is(await codeOf(tic.status()), 'device_unavailable');
        assert.is(bench.devices()[0]?.path, null);
        await turn({ unplug: false });
        await until(() => tic.state === 'open');
        assert.is((await tic.status()).energized, false, 'every opening halts and de-energizes');
      },
    ],
    firmware: [
      'an older one is identified by its descriptor',
      async (tic, turn, bench) => {
        await tic.close();
        await turn({ firmware: '1.05' });
        const usb = openUsbControl(bench.addresses.tic);
        await usb.open();
        assert.is(usb.identity?.bcdDevice, 0x0105);
        await usb.close();
      },
    ],
  },
});

test.run();
