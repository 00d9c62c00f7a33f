import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../lib/clock/clock.ts';
import { temporaryFolder } from '../test-kit/end-with-parent.ts';
import { suite } from '../test-kit/suite.ts';
import { placesOf } from './places.ts';
import { remountArguments, whileWritable } from './while-writable.ts';

const test = suite('writing to the partition FIRMWARE');

test('IMG-013 one program writes at a time: the end of one does not end the other', async () => {
  const root = temporaryFolder('writable-');
  try {
    const places = placesOf({ SVC_HOST_ROOT: root });
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} begins`);
      await systemClock.sleep(20);
      seen.push(`${name} ends`);
    };
    const first = whileWritable(places, work('first'));
    await Promise.all([first, whileWritable(places, work('second'))]);
    const [one, two] = seen[0] === 'first begins' ? ['first', 'second'] : ['second', 'first'];
    assert.equal(seen, [`${one} begins`, `${one} ends`, `${two} begins`, `${two} ends`]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

test.needs(canMount, 'needs root and mount namespaces')(
  'IMG-013 the partition is made writable where no device of it is in /dev, and keeps its options',
  () => {
    const root = temporaryFolder('remount-');
    try {
      const place = join(root, 'firmware');
      mkdirSync(place);
      const options = 'ro,nosuid,nodev,noexec,noatime';
      writeFileSync(join(root, 'fstab'), `PARTUUID=5c1d0001-01 ${place} tmpfs ${options},nofail 0 2\n`);
      const script = [
        'mount --bind "$1/fstab" /etc/fstab',
        `mount -t tmpfs -o ${options} /dev/mmcblk9p1 "$1/firmware"`,
        `mount ${remountArguments('"$1/firmware"', 'rw').join(' ')}`,
        'grep "$1/firmware" /proc/mounts',
      ].join(' && ');
      const { stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', script, 'sh', root], {
        encoding: 'utf8',
      });
      assert.match(stdout, 'rw,nosuid,nodev,noexec,noatime', stderr);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
);

test.run();
