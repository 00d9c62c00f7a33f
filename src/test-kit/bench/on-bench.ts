import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Bench, type BenchDeviceName } from '../../bench/bench.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { CodedError } from '../../lib/errors/coded-error.ts';
import { type Suite, suite } from '../suite.ts';

/** A knob, what it does in words, and the proof: the unmodified driver meets it at a real transport. */
export type Effects<Client> = Readonly<
  Record<
    string,
    readonly [effect: string, proof: (client: Client, turn: Turn, bench: Bench) => Promise<void> | void]
  >
>;

/** Turns knobs of the device. */
export type Turn = (knobs: Record<string, unknown>) => Promise<unknown>;

/**
 * One test for each documented knob of a device, each with a driver of its own, and one that
 * the twin has all of them.
 *
 * @param connect opens a driver, and says how it is closed
 */
export function provesKnobs<Client>(options: {
  device: BenchDeviceName;
  listed: readonly string[];
  connect: (bench: Bench) => Promise<{ client: Client; close: () => Promise<void> }>;
  effects: Effects<Client>;
}): Suite<Record<string, unknown>> {
  const { device, listed, connect, effects } = options;
  const test = suite(`knobs of ${device}`);
  let folder = '';
  let bench: Bench | undefined;
  test.before(async () => {
    folder = mkdtempSync(join(tmpdir(), `svc-knobs-${device}-`));
    bench = new Bench({ folder, only: [device] });
    await bench.open();
  });
  test.after(async () => {
    await bench?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test(`DEV-045 ${device} has every listed knob, and each is proven here`, () => {
    const has = Object.keys(bench?.devices()[0]?.knobs ?? {});
    for (const knob of listed) {
      assert.ok(has.includes(knob), `${device} has no knob ${knob}`);
      assert.ok(knob in effects, `${knob} is not proven`);
    }
  });

  for (const [knob, [effect, proof]] of Object.entries(effects))
    test(`DEV-045 ${device} ${knob}: ${effect}`, async () => {
      if (!bench) throw new TypeError('no bench');
      const opened = bench;
      await opened.reset();
      const { client, close } = await connect(opened);
      try {
        await proof(client, (knobs) => opened.setKnobs(device, knobs), opened);
      } finally {
        await close();
      }
    });
  return test;
}

/** The code with which it fails; `resolved` when it does not. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: unknown) => {
      if (error instanceof CodedError) return error.code;
      throw error;
    },
  );

/** Waits for something that happens on its own. The test's time-out bounds it. */
export async function until(happened: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await happened())) await systemClock.sleep(10);
}

export const near = (seen: number, wanted: number, off: number) =>
  assert.ok(Math.abs(seen - wanted) <= off, `${seen} is not ${wanted}`);
