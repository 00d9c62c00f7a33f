import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  createReadStream,
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
import type { Clock } from '../../lib/clock/clock.ts';
import { syncDirectory } from '../../lib/files/replace-file.ts';
import { ApplianceError } from '../appliance-error.ts';
import type { Places } from '../places.ts';
import { runProgram } from '../run-program.ts';
import { textOf } from '../write-whole.ts';
import { compareVersions } from './compare-versions.ts';
import { lineFor, otherSlot, rootPartition, runningSlot, type Slot, setSlot, slotOf } from './slots.ts';
import { trybootOf } from './tryboot.ts';
import { type Manifest, partStream, readManifest, type UpdateFile, verifyParts } from './update-file.ts';
import { writeUpdateRecord } from './update-record.ts';

const KEY = '/usr/lib/svc-rig/update-key.pem';
const PROGRAMS = '/opt/svc-rig/current';

export interface InstallOptions {
  places: Places;
  clock: Clock;
  path: string;
  mayBeOlder: boolean;
  /** Why the rig may not be restarted now; undefined when it may. */
  whyInUse: () => Promise<string | undefined>;
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
 * Writes an update to the slot that is not running, and asks the firmware to start it once. Everything that can be refused is refused
 * before the first byte is written.
 * @returns version and slot of what starts next
 * @throws ApplianceError `update_refused`, `update_failed`
 */
export async function installUpdate(options: InstallOptions): Promise<{ version: string; slot: Slot }> {
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
    const tryboot = trybootOf(places);
    if (!tryboot)
      throw refused(
        'this kernel cannot ask the firmware for a start on trial: the module svc_tryboot is not loaded',
      );
    const partition = rootPartition(places, slot, diskId);
    refuseForSpace(places, slot, update.manifest, partition.bytes);
    say('checking the file');
    await verifyParts(update);
    const inUse = await options.whyInUse();
    if (inUse !== undefined) throw refused(inUse);

    const { version } = update.manifest;
    const record = { version, from_version: current, slot };
    const note = (state: 'writing' | 'trying') =>
      writeUpdateRecord(places, { ...record, state, at: new Date(options.clock.now()).toISOString() });
    note('writing');
    say(`writing version ${version} to slot ${slot}`);
    await writeRoot(update, partition.path);
    await writeBoot(places, update, slot, diskId);
    setSlot(places, 'tryboot.txt', slot);
    note('trying');
    tryboot.request();
    return { version, slot };
  } finally {
    closeSync(file);
  }
}

function openUpdate(path: string): number {
  try {
    const file = openSync(path, 'r');
    if (statSync(path).isFile()) return file;
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

/** Streamed, and read back from the device. */
async function writeRoot(update: UpdateFile, path: string): Promise<void> {
  const [root] = update.manifest.parts;
  const out = openSync(path, 'r+');
  try {
    const zstd = spawn('zstd', ['-dc'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(zstd, 'close') as Promise<[number | null]>;
    const fed = pipeline(Readable.from(partStream(update, 0)), zstd.stdin);
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
      const chunks: Buffer[] = [];
      for await (const chunk of partStream(update, index)) chunks.push(chunk);
      const whole = Buffer.concat(chunks);
      if (createHash('sha256').update(whole).digest('hex') !== part.sha256)
        throw failed(`the file changed while it was installed (${part.name})`);
      const content =
        part.name === 'cmdline.txt' ? Buffer.from(lineFor(whole.toString('utf8'), slot, diskId)) : whole;
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
