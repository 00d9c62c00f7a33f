import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { temporaryFolder } from '../../test-kit/end-with-parent.ts';
import { suite } from '../../test-kit/suite.ts';
import { placesOf } from '../places.ts';
import { compareVersions } from './compare-versions.ts';
import { type Confirmation, confirmUpdate } from './confirm-update.ts';
import { readUpdateRecord, writeUpdateRecord } from './update-record.ts';

const test = suite('confirmation of an update');

interface Trial {
  root: string;
  clock: SteppedClock;
  health: { why: string | undefined; inUse?: string };
  end: Promise<Confirmation>;
  config: () => string;
  state: () => string | undefined;
}

/** Slot `running` was started; `config.txt` starts `confirmed`. */
async function onTrial(
  running: 'a' | 'b',
  confirmed: 'a' | 'b',
  work: (trial: Trial) => Promise<void>,
): Promise<void> {
  const root = temporaryFolder('trial-');
  try {
    const put = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    put('proc/cmdline', `root=PARTUUID=5c1d0001-0${running === 'a' ? 2 : 3} ro`);
    put('boot/firmware/config.txt', `# x\nos_prefix=${confirmed}/\nkernel=vmlinuz\n`);
    const places = placesOf({ SVC_HOST_ROOT: root });
    writeUpdateRecord(places, {
      version: '2.0.0',
      from_version: '1.0.0',
      slot: 'b',
      state: 'trying',
      at: 'x',
    });
    const clock = new SteppedClock();
    const health: Trial['health'] = { why: undefined };
    const end = confirmUpdate({
      places,
      clock,
      whyNotHealthy: async () => health.why,
      whyInUse: async () => health.inUse,
      log: () => {},
    });
    const config = () => readFileSync(join(root, 'boot/firmware/config.txt'), 'utf8');
    await work({ root, clock, health, end, config, state: () => readUpdateRecord(places)?.state });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test('IMG-013 a version on trial is confirmed after 60 s of health by one byte, not before', () =>
  onTrial('b', 'a', async ({ clock, end, config, state }) => {
    await clock.advance(59_000);
    assert.match(config(), 'os_prefix=a/');
    assert.is(state(), 'trying');
    await clock.advance(3000);
    assert.is(await end, 'confirmed');
    assert.is(config(), '# x\nos_prefix=b/\nkernel=vmlinuz\n');
    assert.is(state(), 'confirmed');
  }));

test('IMG-013 a break in its health begins the 60 s anew', () =>
  onTrial('b', 'a', async ({ clock, health, end, config }) => {
    await clock.advance(50_000);
    health.why = 'svc-lung is not well';
    await clock.advance(4000);
    health.why = undefined;
    await clock.advance(55_000);
    assert.match(config(), 'os_prefix=a/');
    await clock.advance(8000);
    assert.is(await end, 'confirmed');
  }));

test('IMG-013 a version that is never healthy is not confirmed, and the old one is started again', () =>
  onTrial('b', 'a', async ({ clock, health, end, config, state }) => {
    health.why = 'no guard watches the bridge';
    await clock.advance(11 * 60_000);
    assert.is(await end, 'restart');
    assert.match(config(), 'os_prefix=a/');
    assert.is(state(), 'rolled_back');
  }));

test('IMG-013 the restart of a roll-back waits until the lease is free', () =>
  onTrial('b', 'a', async ({ clock, health, end, config, state }) => {
    health.why = 'svc-window is not well';
    health.inUse = 'anna has the lease of the rig';
    await clock.advance(15 * 60_000);
    assert.is(state(), 'trying');
    delete health.inUse;
    await clock.advance(5000);
    assert.is(await end, 'restart');
    assert.match(config(), 'os_prefix=a/');
  }));

test('IMG-013 a version that becomes healthy while its roll-back waits for the lease is kept', () =>
  onTrial('b', 'a', async ({ clock, health, end, config }) => {
    health.why = 'svc-window is not well';
    health.inUse = 'anna has the lease of the rig';
    await clock.advance(15 * 60_000);
    health.why = undefined;
    await clock.advance(65_000);
    assert.is(await end, 'confirmed');
    assert.match(config(), 'os_prefix=b/');
  }));

test('IMG-013 the old version that runs again records that the update is not in use', () =>
  onTrial('a', 'a', async ({ end, state }) => {
    assert.is(await end, 'kept');
    assert.is(state(), 'rolled_back');
  }));

test('IMG-013 a power cut between the confirming byte and its record is no roll-back', () =>
  onTrial('b', 'b', async ({ end, state }) => {
    assert.is(await end, 'kept');
    assert.is(state(), 'confirmed');
  }));

test('versions are ordered as semantic versioning does', () => {
  const order = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-rc.2',
    '1.0.0-rc.10',
    '1.0.0',
    '1.2.0',
    '1.10.0',
    '2.0.0',
  ];
  for (const [i, one] of order.entries())
    for (const [j, other] of order.entries())
      assert.is(Math.sign(compareVersions(one, other)), Math.sign(i - j), `${one} ${other}`);
});

test.run();
