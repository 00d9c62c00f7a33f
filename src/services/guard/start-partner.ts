import { spawn } from 'node:child_process';
import process from 'node:process';
import { withoutSystemd } from '../../lib/systemd-notify.ts';
import { PARTNER_MARK } from '../../rig/guard/partner-mark.ts';

/**
 * The program of this process once more, out of reach of what ends this process alone. It writes where this one writes.
 * @returns its pid; undefined when it could not be started
 */
export function startPartner(): number | undefined {
  const [, script = ''] = process.argv;
  const child = spawn(process.execPath, [...process.execArgv, script], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...withoutSystemd(process.env), [PARTNER_MARK]: String(process.pid) },
  });
  child.on('error', () => {});
  child.unref();
  return child.pid;
}
