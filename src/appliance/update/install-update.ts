import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { syncDirectory } from '../../lib/files/replace-file.ts';
import { ApplianceError } from '../appliance-error.ts';
import type { Places } from '../places.ts';
import { runProgram } from '../run-program.ts';
import { textOf } from '../write-whole.ts';
import { compareVersions } from './compare-versions.ts';
import { lineFor, otherSlot, rootPartition, runningSlot, type Slot, slotOf } from './slots.ts';
import { type StartOptions, startUpdate, trybootHere, type WrittenUpdate } from './start-update.ts';
import { type Manifest, partStream, readManifest, type UpdateFile, verifyParts } from './update-file.ts';
import { writeUpdateRecord } from './update-record.ts';

const KEY = '/usr/lib/svc-rig/update-key.pem';
const PROGRAMS = '/opt/svc-rig/current';
const COMMAND_LINE = 'cmdline.txt';

export interface InstallOptions extends StartOptions {
  path: string;
  mayBeOlder: boolean;
  /** What is being done, for a person who waits. */
  say: (line: string) => void;
}

const refused = (why: string) =>
  new ApplianceError('update_refused', `the update is refused, nothing was written: ${why}`);
const failed = (why: string, cause?: unknown) =>
  new ApplianceError(
    'update_failed',
    `the update failed, this version stays in use: ${why}`,
    cause === undefined ? {} : { cause },
  );

/**
 * Writes an update to the slot that is not running, and asks the firmware to start it once, unless the rig came into use meanwhile.
 * Everything that can be refused is refused before the first byte is written.
 * @throws ApplianceError `update_refused`, `update_failed`
 */
export async function installUpdate(options: InstallOptions): Promise<WrittenUpdate> {
  const { places, path, say } = options;
  const file = openUpdate(path);
  try {
    const update = readManifest(file, textOf(places.at(KEY)));
    const current = refuseUnfit(update.manifest, options);
    const { slot: running, diskId } = runningSlot(places);
    const slot = otherSlot(running);
    if (slotOf(places, 'config.txt') !== running)
      throw refused(
        'the running version is still on trial: wait until it is confirmed (svcctl update status)',
      );
    const tryboot = trybootHere(places);
    const partition = rootPartition(places, slot, diskId);
    refuseForSpace(places, slot, update.manifest, partition.bytes);
    say('checking the file');
    await verifyParts(update);
    await refuseWithoutRoot(update, slot, diskId);
    const inUse = await options.whyInUse();
    if (inUse !== undefined) throw refused(inUse);

    const { version } = update.manifest;
    const record = { version, from_version: current, slot };
    const note = (state: 'writing' | 'written') =>
      writeUpdateRecord(places, { ...record, state, at: new Date(options.clock.now()).toISOString() });
    // Of an update before: a reset while this one is written must not start a half of it.
    tryboot.withdraw();
    note('writing');
    say(`writing version ${version} to slot ${slot}`);
    await writeRoot(update, partition.path);
    await writeBoot(places, update, slot, diskId);
    note('written');
    return await startUpdate(options);
  } finally {
    closeSync(file);
  }
}

function openUpdate(path: string): number {
  try {
    // A named pipe would wait for its writer, with the partition FIRMWARE writable all the time.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (fstatSync(file).isFile()) return file;
    closeSync(file);
  } catch (cause) {
    throw refused(`${path} cannot be read (${(cause as NodeJS.ErrnoException).code ?? String(cause)})`);
  }
  throw refused(`${path} is no file`);
}

/** @returns the version that is running */
function refuseUnfit(
  { version, target, min_version }: Manifest,
  { places, mayBeOlder }: InstallOptions,
): string {
  const own = textOf(places.at(PROGRAMS), 'TARGET');
  const current = textOf(places.at(PROGRAMS), 'VERSION');
  if (own === undefined || current === undefined)
    throw refused('the version of this machine is unknown (/opt/svc-rig/current)');
  if (target !== own) throw refused(`it is for ${target}, and this machine is ${own}`);
  if (compareVersions(current, min_version) < 0)
    throw refused(
      `it needs version ${min_version} at least, and ${current} is running: install that one first`,
    );
  if (compareVersions(version, current) < 0 && !mayBeOlder)
    throw refused(
      `version ${version} is older than ${current}, which is running: --allow-downgrade installs it`,
    );
  return current;
}

function refuseForSpace(places: Places, slot: Slot, { parts }: Manifest, partitionBytes: number): void {
  const [root, ...boot] = parts;
  const rawBytes = root?.raw_bytes ?? 0;
  if (rawBytes > partitionBytes)
    throw refused(
      `its root file system has ${rawBytes} bytes, and the partition of slot ${slot} ${partitionBytes}`,
    );
  const { bavail, bsize } = statfsSync(places.firmware);
  const old = filesBelow(join(places.firmware, slot)).map((path) => statSync(path).size);
  const [wanted, free] = [boot.map(({ bytes }) => bytes), old].map((sizes) =>
    // Each file ends with a part of a block.
    sizes.reduce((sum, bytes) => sum + Math.ceil(bytes / bsize) * bsize, 0),
  ) as [number, number];
  if (wanted > bavail * bsize + free)
    throw refused(
      `its boot files need ${wanted} bytes on the partition FIRMWARE, and ${bavail * bsize + free} are free`,
    );
}

/** Such a kernel would start whatever it finds, or nothing. */
async function refuseWithoutRoot(update: UpdateFile, slot: Slot, diskId: string): Promise<void> {
  const index = update.manifest.parts.findIndex(({ name }) => name === COMMAND_LINE);
  const text = index < 0 ? '' : (await wholePart(update, index)).toString('utf8');
  if (lineFor(text, slot, diskId) === undefined)
    throw refused(
      `its ${COMMAND_LINE} does not name one root partition (root=PARTUUID=...): make the file anew`,
    );
}

async function wholePart(update: UpdateFile, index: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of partStream(update, index)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Streamed, and read back from the device. */
async function writeRoot(update: UpdateFile, path: string): Promise<void> {
  const [root] = update.manifest.parts;
  const out = openSync(path, 'r+');
  try {
    const zstd = spawn('zstd', ['-dc'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(zstd, 'close') as Promise<[number | null]>;
    const fed = pipeline(Readable.from(partStream(update, 0)), zstd.stdin);
    // Awaited below, where one of them may have failed before: that is reported once.
    for (const one of [ended, fed]) one.catch(() => {});
    let at = 0;
    for await (const chunk of zstd.stdout as AsyncIterable<Buffer>) {
      at += chunk.length;
      if (at > (root?.raw_bytes ?? 0)) {
        zstd.kill();
        throw failed('the root file system is longer than its manifest says');
      }
      writeSync(out, chunk, 0, chunk.length, at - chunk.length);
    }
    await fed;
    const [code] = await ended;
    if (code !== 0) throw failed(`zstd has ended with ${code}`);
    fsyncSync(out);
  } catch (cause) {
    throw cause instanceof ApplianceError ? cause : failed(String(cause), cause);
  } finally {
    closeSync(out);
  }
  // From the card, not from memory.
  if (statSync(path).isBlockDevice()) runProgram('blockdev', ['--flushbufs', path]);
  const hash = createHash('sha256');
  const end = (root?.raw_bytes ?? 1) - 1;
  for await (const chunk of createReadStream(path, { end })) hash.update(chunk as Buffer);
  if (hash.digest('hex') !== root?.raw_sha256)
    throw failed('the root file system reads back differently: the card may be worn out');
}

async function writeBoot(places: Places, update: UpdateFile, slot: Slot, diskId: string): Promise<void> {
  const folder = join(places.firmware, slot);
  try {
    for (const path of filesBelow(folder)) rmSync(path);
    for (const [index, part] of update.manifest.parts.entries()) {
      if (index === 0) continue;
      const whole = await wholePart(update, index);
      if (createHash('sha256').update(whole).digest('hex') !== part.sha256)
        throw failed(`the file changed while it was installed (${part.name})`);
      const content =
        part.name === COMMAND_LINE ? Buffer.from(lineFor(whole.toString('utf8'), slot, diskId) ?? '') : whole;
      const path = join(folder, part.name);
      mkdirSync(dirname(path), { recursive: true });
      const out = openSync(path, 'w');
      try {
        writeSync(out, content);
        fsyncSync(out);
      } finally {
        closeSync(out);
      }
      if (!readFileSync(path).equals(content)) throw failed(`${path} reads back differently`);
    }
    syncDirectory(folder);
    runProgram('sync', ['-f', folder]);
  } catch (cause) {
    throw cause instanceof ApplianceError ? cause : failed(String(cause), cause);
  }
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile());
  } catch {
    return [];
  }
}
