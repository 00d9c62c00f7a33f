import { readlinkSync, statSync } from 'node:fs';
import process from 'node:process';
import { procEntries, processIds, readProc } from '../proc.ts';

const READINGS = 5;
/** Flags of a socket that listens (SO_ACCEPTCON). */
const LISTENS = '00010000';

/**
 * The process that listens on an abstract address, by the kernel's own word: also one that hangs and answers nothing.
 * Undefined when none does, or when it belongs to another account, whose descriptors only root may see. Linux only.
 */
export function listenerPid(address: string): number | undefined {
  const inode = inodeOf(address);
  if (inode === undefined) return undefined;
  return processIds().find((pid) => holds(`/proc/${pid}/fd`, `socket:[${inode}]`));
}

/** Whether any process of this machine listens on an abstract address. */
export const isListenedOn = (address: string): boolean => inodeOf(address) !== undefined;

/**
 * Whether what listens there may be believed when it says who it is: it belongs to our account. Abstract addresses have no
 * permissions; any account can take one and claim any name. Root sees all, and believes the pid that the kernel names.
 */
export function isTrustedListener(
  address: string,
  claimedPid: number,
  ownUid: number | undefined = process.getuid?.(),
): boolean {
  const pid = listenerPid(address);
  const uid = pid === undefined ? undefined : ownerOf(pid);
  if (uid === undefined) return false;
  return uid === ownUid || (ownUid === 0 && pid === claimedPid);
}

function ownerOf(pid: number): number | undefined {
  try {
    return statSync(`/proc/${pid}`).uid;
  } catch {
    return undefined;
  }
}

/** Of the listening socket. The list is not one moment's while sockets come and go: without a hit it is read again. */
function inodeOf(address: string): string | undefined {
  // The kernel shows NUL as @.
  const shown = address.replaceAll('\0', '@');
  for (let reading = 1; reading <= READINGS; reading++) {
    const line = readProc('/proc/net/unix')
      .split('\n')
      .find((one) => one.endsWith(` ${shown}`) && one.includes(` ${LISTENS} `));
    if (line !== undefined) return line.trim().split(/\s+/)[6];
  }
  return undefined;
}

/** Reads no further than the descriptor that is looked for: a stop may wait for this. */
function holds(folder: string, target: string): boolean {
  return procEntries(folder).some((fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`) === target;
    } catch {
      return false;
    }
  });
}
