import { hostname, userInfo } from 'node:os';
import process from 'node:process';

/** The operator at this terminal, for people: `anna@rig`. Never throws. */
export function whoAsks(): string {
  return `${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // An account that the machine has no name for.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
