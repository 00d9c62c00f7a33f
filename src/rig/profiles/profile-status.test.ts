import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import type { AdcService } from './profile.ts';
import { heldByOthers, isUp, type LockState, mismatches, type ProfileStatus } from './profile-status.ts';

const test = suite('profile status');

const since = '2025-01-15T10:00:00.000Z';
const holder = (service: string, pid: number, port: number | null = 8212) => ({ service, pid, port, since });

const lock = (
  device: LockState['device'],
  service: AdcService,
  holder: LockState['holder'],
  silentPid?: number,
): LockState => ({
  device,
  keys: [device],
  services: ['svc-adc-stack', service],
  holder,
  pid: typeof holder === 'string' ? silentPid : holder?.pid,
});
const locks = (hid: LockState['holder'], uart: LockState['holder'], silentPid?: number): LockState[] => [
  lock('HID chip', 'svc-adc-usb', hid, silentPid),
  lock('UART module', 'svc-adc-uart', uart),
];

const standalone: ProfileStatus = {
  profile: 'standalone',
  supervised: [
    { name: 'svc-adc-usb', pid: 1, state: 'online' },
    { name: 'svc-adc-uart', pid: 2, state: 'online' },
  ],
  processes: [
    { name: 'svc-adc-usb', pid: 1, bornSupervised: true },
    { name: 'svc-adc-uart', pid: 2, bornSupervised: true },
  ],
  locks: locks(holder('svc-adc-usb', 1), holder('svc-adc-uart', 2)),
};

test('all as the profile says: nothing to report', () => {
  assert.equal(mismatches(standalone), []);
  assert.equal(
    mismatches({ profile: undefined, supervised: [], processes: [], locks: locks(undefined, undefined) }),
    [],
  );
});

const CASES: readonly (readonly [title: string, change: Partial<ProfileStatus>, ...sentences: string[]])[] = [
  [
    'the other profile runs',
    { profile: 'stack' },
    'svc-adc-stack does not run (not started)',
    'svc-adc-usb runs, but the profile is stack',
    'svc-adc-uart runs, but the profile is stack',
  ],
  [
    'no profile was chosen',
    { profile: undefined },
    'svc-adc-usb runs, but no profile was chosen',
    'svc-adc-uart runs, but no profile was chosen',
  ],
  [
    'PM2 has died',
    { supervised: [] },
    'svc-adc-usb (pid 1) has lost its supervisor',
    'svc-adc-uart (pid 2) has lost its supervisor',
  ],
  [
    'one was started by hand while its own had been killed',
    {
      supervised: [
        { name: 'svc-adc-usb', pid: 1, state: 'online' },
        { name: 'svc-adc-uart', pid: 0, state: 'stopped' },
      ],
      processes: [
        { name: 'svc-adc-usb', pid: 1, bornSupervised: true },
        { name: 'svc-adc-uart', pid: 9, bornSupervised: false },
      ],
      locks: locks(holder('svc-adc-usb', 1), holder('svc-adc-uart', 9)),
    },
    'svc-adc-uart (pid 9) was started by hand',
  ],
  [
    'a foreign program holds the chip',
    {
      supervised: [
        { name: 'svc-adc-usb', pid: 0, state: 'stopped' },
        { name: 'svc-adc-uart', pid: 2, state: 'online' },
      ],
      processes: [{ name: 'svc-adc-uart', pid: 2, bornSupervised: true }],
      locks: locks(holder('svc-probe', 77), holder('svc-adc-uart', 2)),
    },
    'svc-adc-usb does not run (stopped)',
    `the HID chip is held by svc-probe (pid 77, port 8212, since ${since}), which does not belong to this rig`,
  ],
  [
    'one of its services hangs',
    { locks: locks('silent', holder('svc-adc-uart', 2), 1) },
    'svc-adc-usb (pid 1) hangs: it owns a device and does not answer',
  ],
  [
    'an unknown process holds the chip and does not answer',
    { locks: locks('silent', holder('svc-adc-uart', 2)) },
    'the HID chip is held by a program that does not answer, which does not belong to this rig',
  ],
];

for (const [title, change, ...sentences] of CASES)
  test(`told: ${title}`, () => assert.equal(mismatches({ ...standalone, ...change }), sentences));

test('SVC-027 a profile is up when its services own the devices and listen, and no other process owns one', () => {
  const up = (hid: LockState['holder'], uart: LockState['holder']) => isUp('standalone', locks(hid, uart));
  const [usb, uart] = [holder('svc-adc-usb', 1), holder('svc-adc-uart', 2)];
  assert.ok(up(usb, uart));
  assert.not(up(usb, undefined));
  assert.not(up(holder('svc-adc-usb', 1, null), uart), 'not before it listens');
  assert.not(up(holder('svc-adc-stack', 3), uart));
  assert.not(up(usb, 'silent'));
  assert.not(up(undefined, undefined));
  assert.ok(isUp('stack', locks(holder('svc-adc-stack', 3), holder('svc-adc-stack', 3))));
});

test('SVC-027 every holder that is not one of ours keeps a switch from starting anything', () => {
  const found = heldByOthers(locks('silent', holder('svc-adc-uart', 2)), new Set([2]));
  assert.equal(
    found.map(({ device }) => device),
    ['HID chip'],
  );
  assert.equal(heldByOthers(locks(undefined, undefined), new Set()), []);
});

test.run();
