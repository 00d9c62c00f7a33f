import { existsSync } from 'node:fs';

/** systemd-timesyncd makes this file when it has set the clock by a time server. */
const FOLDER = '/run/systemd/timesync';

/** Whether a time server has set the clock of this machine since its start; null where systemd-timesyncd does not run. */
export function clockSynchronised(folder = FOLDER): boolean | null {
  if (!existsSync(folder)) return null;
  return existsSync(`${folder}/synchronized`);
}
