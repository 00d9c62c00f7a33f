import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock as clock } from '../../../src/lib/clock/clock.ts';
import { temporaryFolder } from '../../../src/test-kit/end-with-parent.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { qemuMissing } from './built-image.ts';
import { ImageMachine, NO_LIMIT } from './image-machine.ts';
import { MachineHangsError } from './machine-watch.ts';
import { Qmp } from './qmp.ts';

const test = suite('a machine in QEMU');
const missing = qemuMissing();
const inQemu = test.needs(missing === undefined, missing ?? '');

/** Of AArch64: a loop without an end, as in a kernel that hangs; 1000 times `nop`, and back. */
const HANGS = Buffer.from(`${'1f2003d5'.repeat(1000)}18fcff17`, 'hex');

/** Sets the GIC up, and for ever its timer to 10 ms and `wfi`, as in a machine that has little to do. */
const IDLES = Buffer.from(
  '0000a1d2 21008052 010000b9 0100a152 010001b9 2200a1d2 e11f8052 410400b9 21008052 410000b9 032d91d2 2301a0f2 03e31bd5 230080d2 23e31bd5 df3f03d5 7f2003d5 f9ffff17'.replaceAll(
    ' ',
    '',
  ),
  'hex',
);

/** Where QEMU is in its work when it is stopped, in steps of less than the machine's timer. */
const PHASES = 8;
const PHASE_MS = 3;

function started(kernel: Buffer): ImageMachine {
  const folder = temporaryFolder('machine-');
  const file = (name: string, content: Buffer | string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const image = {
    version: '0',
    disk: file('disk', Buffer.alloc(1024 * 1024)),
    compressed: '',
    kernel: file('kernel', kernel),
    initialRamDisk: file('initrd', 'none'),
    commandLine: file('line', ''),
  };
  return new ImageMachine(join(folder, 'machine'), { clock, image, network: false });
}

inQemu(
  'one that hangs is found out by its own time, however long the host holds it up',
  async () => {
    const machine = started(HANGS);
    try {
      await machine.boot();
      await machine.until('QEMU answers', async () => (await machine.seconds().catch(() => 0)) > 0);
      const qmp = await Qmp.open(join(machine.folder, 'qmp.sock'));
      await qmp.ask('stop');
      let fault: unknown;
      const wait = machine
        .until('a shell', async () => false, 1)
        .catch((cause: unknown) => {
          fault = cause;
        });
      await clock.sleep(3000);
      assert.is(fault, undefined);
      await qmp.ask('cont');
      qmp.close();
      await wait;
      assert.instance(fault, MachineHangsError);
      assert.match((fault as Error).message, /^a shell: not within 1 s of the machine's time/);
    } finally {
      await machine.cutPower();
    }
  },
  NO_LIMIT,
);

inQemu(
  'no time passes in one that waits while the host holds it up',
  async () => {
    const machine = started(IDLES);
    try {
      await machine.boot();
      const since = async () => (await machine.seconds().catch(() => 0)) - before;
      let before = 0;
      await machine.until('QEMU answers', async () => (await since()) > 0);
      before = await machine.seconds();
      await machine.until('its timer runs', async () => (await since()) > 1);
      const { pid } = machine;
      assert.ok(pid !== undefined);
      for (let phaseMs = 0; phaseMs < PHASES * PHASE_MS; phaseMs += PHASE_MS) {
        await clock.sleep(phaseMs);
        before = await machine.seconds();
        process.kill(pid, 'SIGSTOP');
        await clock.sleep(4000);
        process.kill(pid, 'SIGCONT');
        const passed = await since();
        assert.ok(passed <= 2, `${passed} s, stopped ${phaseMs} ms after the one before`);
      }
    } finally {
      await machine.cutPower();
    }
  },
  NO_LIMIT,
);

inQemu(
  'one whose QEMU ends is not waited for, and says why',
  async () => {
    const machine = started(HANGS);
    try {
      await machine.boot({ qemuArguments: ['-device', 'no-such-device'] });
      const wait = machine.until('a shell', async () => false);
      await wait.then(
        () => assert.unreachable(),
        (fault: Error) => assert.match(fault.message, /^a shell: QEMU has ended \(1\) .*no-such-device/s),
      );
    } finally {
      await machine.cutPower();
    }
  },
  NO_LIMIT,
);

test.run();
