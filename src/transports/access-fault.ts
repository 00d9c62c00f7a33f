import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { TransportError } from './transport-error.ts';

/** Whether this process may read and write a device file, asked of the kernel. */
export function mayUse(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** `port_permission` with what the device file demands and what gives this user access. */
export function permissionFault(address: string, path: string, cause?: unknown): TransportError {
  const message = `no permission for ${path}${demands(path)}`;
  return new TransportError('port_permission', address, message, { cause });
}

function demands(path: string): string {
  try {
    const { gid, mode } = statSync(path);
    const group = groupName(gid);
    const rights = (mode & 0o777).toString(8).padStart(4, '0');
    const hasGroup = (mode & 0o060) === 0o060;
    const remedy = hasGroup
      ? `add this user to the group ${group}`
      : 'install udev/99-svc-rig.rules, then plug the device in again';
    return ` (group ${group}, mode ${rights}); ${remedy}`;
  } catch {
    return '; install udev/99-svc-rig.rules and add this user to the groups dialout, plugdev and i2c';
  }
}

function groupName(gid: number): string {
  try {
    const line = readFileSync('/etc/group', 'utf8')
      .split('\n')
      .find((entry) => entry.split(':')[2] === String(gid));
    return line?.split(':')[0] ?? String(gid);
  } catch {
    return String(gid);
  }
}
