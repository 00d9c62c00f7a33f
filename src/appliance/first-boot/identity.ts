import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncDirectory } from '../../lib/files/replace-file.ts';
import type { Board } from '../board.ts';
import type { Places } from '../places.ts';
import { runProgram } from '../run-program.ts';
import { textOf, writeWhole } from '../write-whole.ts';

/** The name that the image starts with, before it has one of its own. */
const UNNAMED = ['rig', 'localhost', 'debian', ''];
const MACHINE_ID = /^[0-9a-f]{32}$/;
const HOST_KEY = 'ssh_host_ed25519_key';

/** @returns the machine id: the one that is there, else a new one. @throws NodeJS.ErrnoException */
export function makeMachineId({ data }: Places): string {
  const path = join(data, 'etc/machine-id');
  const found = textOf(path) ?? '';
  if (MACHINE_ID.test(found) && !/^0+$/.test(found)) return found;
  const made = randomBytes(16).toString('hex');
  writeWhole(path, `${made}\n`, 0o444);
  return made;
}

/** @returns the host name: the one that was given, else `rig-` and the last four of the serial number or machine id */
export function makeHostName(places: Places, { serial }: Board, machineId: string): string {
  const found = textOf(places.data, 'etc/hostname') ?? '';
  const name = UNNAMED.includes(found) ? `rig-${(serial ?? machineId).slice(-4)}` : found;
  setHostName(places, name);
  return name;
}

/** For this start and the later ones. @throws NodeJS.ErrnoException */
export function setHostName({ data, at }: Places, name: string): void {
  writeWhole(join(data, 'etc/hostname'), `${name}\n`, 0o644);
  writeKernelName(at('/proc/sys/kernel/hostname'), name);
}

/** Makes the SSH host key aside and puts it in place at once: a power cut leaves none or a whole one. @throws ApplianceError */
export function makeHostKey({ data }: Places, hostName: string): void {
  const folder = join(data, 'etc/ssh');
  const path = join(folder, HOST_KEY);
  if (existsSync(path) && existsSync(`${path}.pub`)) return;
  const fresh = join(folder, 'new');
  for (const file of [fresh, `${fresh}.pub`]) rmSync(file, { force: true });
  writeWhole(join(folder, '.folder'), '', 0o600);
  runProgram('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', hostName, '-f', fresh]);
  runProgram('sync', ['-f', folder]);
  renameSync(`${fresh}.pub`, `${path}.pub`);
  syncDirectory(folder);
  renameSync(fresh, path);
  syncDirectory(folder);
}

/** A folder of a test has no kernel behind it: then it is a file like others. */
function writeKernelName(path: string, name: string): void {
  if (existsSync(path) && textOf(path) !== name) writeFileSync(path, `${name}\n`);
}
