import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { SlotsCard } from './slots-card.ts';

const KILLER = fileURLToPath(new URL('../first-boot/kill-at-change.cjs', import.meta.url));
const test = suite('svcctl update');
const hasZstd = (() => {
  try {
    execFileSync('zstd', ['--version'], { stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
})();
const needs = test.needs(hasZstd, 'needs root and zstd: apt-get install zstd');

async function onCard(work: (card: SlotsCard) => Promise<void>, version?: string): Promise<void> {
  const card = new SlotsCard(version);
  try {
    await work(card);
  } finally {
    card.remove();
  }
}

needs(
  'IMG-013 a good update is written to the other slot, read back, and started once; config.txt stays',
  () =>
    onCard(async (card) => {
      const { code, stdout, stderr } = await card.svcctl([await card.update(), '--no-restart']);
      assert.is(code, 0, stderr);
      assert.match(stdout, 'version 1.1.0 is in slot b');
      assert.ok(card.isWritten);
      assert.ok(card.isAsked);
      assert.ok(card.startsA);
      assert.not.ok(existsSync(card.path('boot/firmware/b/left-over')));
      const status = await card.svcctl(['--status']);
      assert.match(status.stdout, 'slot a runs\nlast update: 1.1.0 (from 1.0.0), trying');
    }),
);

type Change = (card: SlotsCard, path: string) => void | Promise<void>;
const flip =
  (at: (size: number) => number): Change =>
  (_, path) => {
    const bytes = readFileSync(path);
    const place = at(bytes.length);
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  };
const MANIFEST = 'SVC-RIG-UPDATE-1\n'.length + 4;

const refusals: readonly (readonly [string, Change, RegExp, string?])[] = [
  [
    'cut to half',
    (_, path) => truncateSync(path, readFileSync(path).length >> 1),
    /is cut off or was changed/,
  ],
  ['cut in its manifest', (_, path) => truncateSync(path, 60), /is cut off/],
  ['empty', (_, path) => truncateSync(path, 0), /is cut off/],
  ['of another kind', (_, path) => writeFileSync(path, Buffer.alloc(1000, 'x')), /is no update file/],
  ['changed in its manifest', flip(() => MANIFEST + 20), /signature is not of the key/],
  ['changed in its last byte', flip((size) => size - 1), /its part overlays\/x\.dtbo is broken/],
  [
    'unsigned',
    (_, path) => {
      const bytes = readFileSync(path);
      const length = bytes.readUInt32BE(MANIFEST - 4);
      bytes.fill(0, MANIFEST + length, MANIFEST + length + 64);
      writeFileSync(path, bytes);
    },
    /is not signed/,
  ],
  [
    'signed by another key',
    async (card) => void (await card.update({}, generateKeyPairSync('ed25519').privateKey)),
    /signature is not of the key in this image/,
  ],
  [
    'for another target',
    async (card) => void (await card.update({ target: 'linux-x64' })),
    /is for linux-x64, and this machine is linux-arm64/,
  ],
  [
    'older',
    async (card) => void (await card.update({ version: '0.9.0', min_version: '0.1.0' })),
    /0\.9\.0 is older than 1\.0\.0.*--allow-downgrade/,
  ],
  [
    'for a later version',
    async (card) => void (await card.update({ min_version: '1.0.1' })),
    /needs version 1\.0\.1 at least/,
  ],
  [
    'larger than the partition',
    (card) => card.put('sys/class/block/mmcblk0p3/size', '100\n'),
    /the partition of slot b/,
  ],
  ...Object.entries({
    'without a root partition in its command line': 'rootfstype=ext4 ro',
    'with another root in its command line': 'root=/dev/sda1 ro',
    'with two root partitions in its command line': 'root=PARTUUID=1-02 root=PARTUUID=1-03',
  }).map(
    ([what, line]) =>
      [
        what,
        async (card: SlotsCard) => void (await card.update({}, card.key, line)),
        /does not name one root partition/,
      ] as const,
  ),
  [
    'on an image without a key',
    (card) => unlinkSync(card.path('usr/lib/svc-rig/update-key.pem')),
    /image was built without a key/,
  ],
  [
    'on an image with a broken key',
    (card) => card.put('usr/lib/svc-rig/update-key.pem', 'x'),
    /no Ed25519 public key/,
  ],
  [
    'on a version on trial',
    (card) => card.put('proc/cmdline', 'root=PARTUUID=5c1d0001-03 ro'),
    /still on trial/,
  ],
  [
    'on a kernel that cannot ask',
    (card) => card.put('proc/device-tree/compatible', 'brcm,bcm2711'),
    /cannot ask the firmware/,
  ],
  [
    'on a rig that was installed',
    (card) => card.put('proc/cmdline', 'root=/dev/sda1'),
    /not started from a card/,
  ],
];

for (const [what, change, says] of refusals)
  needs(`IMG-013 an update that is ${what} is refused with one sentence, and nothing is written`, () =>
    onCard(async (card) => {
      const path = await card.update();
      await change(card, path);
      const { code, stderr, stdout } = await card.svcctl([path, '--no-restart']);
      assert.is(code, 4, stderr);
      assert.match(stderr, says);
      assert.is(
        stderr
          .trim()
          .split('\n')
          .filter((line) => !line.includes('checking the file')).length,
        1,
        stderr,
      );
      assert.is(stdout, '');
      assert.ok(card.isUntouched, stderr);
      assert.not.ok(card.isAsked);
    }),
  );

needs('IMG-013 an older version is installed when it is asked for', () =>
  onCard(async (card) => {
    const path = await card.update({ version: '1.0.0-rc.1', min_version: '0.1.0' });
    assert.is((await card.svcctl([path, '--no-restart'])).code, 4);
    const { code, stderr } = await card.svcctl([path, '--no-restart', '--allow-downgrade']);
    assert.is(code, 0, stderr);
  }),
);

/** A bridge that is free for so many questions about its lease; then anna has it. A `systemctl` that only notes its call. */
async function withBridge(
  card: SlotsCard,
  freeFor: number,
  work: (
    env: Record<string, string>,
    bridge: { freeFor: number },
    hasRestarted: () => boolean,
  ) => Promise<void>,
): Promise<void> {
  const state = { freeFor };
  const bridge = createServer(({ url }, response) => {
    const isHeld = url?.includes('lease') && state.freeFor-- <= 0;
    const answer = url?.includes('lease')
      ? { held: isHeld, owner: isHeld ? 'anna' : null }
      : { active: false };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => bridge.listen(0, '127.0.0.1', resolve));
  card.put('bin/systemctl', `#!/bin/sh\necho "$@" >${card.path('restarted')}\n`);
  chmodSync(card.path('bin/systemctl'), 0o755);
  const env = {
    SVC_BRIDGE_PORT: String((bridge.address() as AddressInfo).port),
    PATH: `${card.path('bin')}:${process.env.PATH}`,
  };
  try {
    await work(env, state, () => existsSync(card.path('restarted')));
  } finally {
    bridge.closeAllConnections();
    await new Promise((resolve) => bridge.close(resolve));
  }
}

for (const [when, freeFor] of [
  ['while it is written', 1],
  ['between the request and the restart', 2],
] as const)
  needs(
    `IMG-013 a run that began ${when} is not ended: the update is kept, and started by --start when the rig is free`,
    () =>
      onCard(async (card) => {
        const path = await card.update();
        await withBridge(card, freeFor, async (env, bridge, hasRestarted) => {
          const { code, stderr, stdout } = await card.svcctl([path], env);
          assert.is(code, 4, stderr);
          assert.match(
            stderr,
            /written to slot b and not started: anna has the lease.*svcctl update --start/,
          );
          assert.is(stdout, '');
          assert.not.ok(hasRestarted());
          assert.not.ok(card.isAsked);
          assert.ok(card.isWritten);
          assert.match((await card.svcctl(['--status'], env)).stdout, '1.1.0 (from 1.0.0), written');
          bridge.freeFor = 0;
          assert.is((await card.svcctl(['--start'], env)).code, 4);
          assert.not.ok(card.isAsked || hasRestarted());
          bridge.freeFor = 9;
          const start = await card.svcctl(['--start'], env);
          assert.is(start.code, 0, start.stderr);
          assert.ok(card.isAsked && hasRestarted());
          assert.match((await card.svcctl(['--status'], env)).stdout, 'trying');
        });
      }),
  );

needs('IMG-013 a second update takes the request of the first back before it writes', () =>
  onCard(async (card) => {
    const path = await card.update();
    assert.is((await card.svcctl([path, '--no-restart'])).code, 0);
    assert.ok(card.isAsked);
    await withBridge(card, 1, async (env) => {
      const { code, stderr } = await card.svcctl([path, '--no-restart'], env);
      assert.is(code, 4, stderr);
      assert.not.ok(card.isAsked);
    });
  }),
);

needs('IMG-013 --start without an update that waits for it is refused', () =>
  onCard(async (card) => {
    const { code, stderr } = await card.svcctl(['--start']);
    assert.is(code, 4, stderr);
    assert.match(stderr, 'no update waits for its start');
    assert.not.ok(card.isAsked);
  }),
);

needs('IMG-013 a named pipe is refused at once: it does not keep the partition FIRMWARE writable', () =>
  onCard(async (card) => {
    const pipe = card.path('pipe.svcupdate');
    execFileSync('mkfifo', [pipe]);
    const { code, stderr } = await card.svcctl([pipe, '--no-restart']);
    assert.is(code, 4, stderr);
    assert.match(stderr, 'is no file');
  }),
);

for (const [what, lease, hold, says] of [
  ['a lease is held', { held: true, owner: 'anna' }, { active: false }, 'anna has the lease'],
  ['actuators are on by hand', { held: false }, { active: true }, 'on without a lease'],
  ['the bridge hangs', undefined, undefined, 'whether the rig is in use is unknown'],
] as const)
  needs(`IMG-013 while ${what} an update is refused, and nothing is written`, () =>
    onCard(async (card) => {
      const bridge = createServer((request, response) => {
        if (lease)
          response
            .setHeader('content-type', 'application/json')
            .end(JSON.stringify(request.url?.includes('lease') ? lease : hold));
      });
      await new Promise<void>((resolve) => bridge.listen(0, '127.0.0.1', resolve));
      try {
        const port = String((bridge.address() as AddressInfo).port);
        const { code, stderr } = await card.svcctl([await card.update(), '--no-restart'], {
          SVC_BRIDGE_PORT: port,
        });
        assert.is(code, 4, stderr);
        assert.match(stderr, says);
        assert.ok(card.isUntouched);
      } finally {
        bridge.closeAllConnections();
        await new Promise((resolve) => bridge.close(resolve));
      }
    }),
  );

needs(
  'IMG-013 a power cut at any change of an update: the old version starts, or the whole new one once',
  () =>
    onCard(async (card) => {
      const path = await card.update();
      let cuts = 0;
      for (let at = 1; ; at++) {
        const cut = await card.svcctl([path, '--no-restart'], {
          NODE_OPTIONS: `--require=${KILLER}`,
          KILL_AT: String(at),
        });
        assert.ok(card.startsA, `cut at ${at}`);
        assert.ok(!card.isAsked || card.isWritten, `cut at ${at}: nothing broken is asked for`);
        if (cut.signal !== 'SIGKILL') {
          assert.is(cut.code, 0, cut.stderr);
          break;
        }
        cuts += 1;
      }
      assert.ok(card.isAsked && card.isWritten);
      assert.ok(cuts > 15, `${cuts} cuts`);
    }),
  { timeoutMs: 600_000 },
);

test.run();
