import { isGuardOfSystemd } from '../../rig/profiles/guard-units.ts';
import type { RigPlace } from '../profile/rig-place.ts';
import { startError } from '../start/start-error.ts';

/** systemd starts a PM2 that has ended again after 0.2 s. */
const LIMIT_MS = 10_000;
const POLL_MS = 100;

/**
 * On an appliance systemd starts PM2. One that a command of PM2 would start in its place runs outside of the unit, and its services
 * do not end with it. @throws CliError `supervisor_down` when systemd has not started it within 10 s
 */
export async function requireSupervisor({ settings, supervisor, io }: RigPlace): Promise<void> {
  if (!isGuardOfSystemd(settings)) return;
  const until = io.clock.monotonic() + LIMIT_MS;
  while (!(await supervisor.isRunning())) {
    if (io.clock.monotonic() >= until)
      throw startError(
        'supervisor_down',
        'systemd has not started PM2, and nothing was changed: as root, systemctl start svc-rig; systemctl status svc-rig shows why it does not run',
      );
    await io.clock.sleep(POLL_MS);
  }
}
