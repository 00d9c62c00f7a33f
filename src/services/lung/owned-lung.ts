import type { Milliseconds } from '../../lib/quantity.ts';
import type { LungDirection, LungMotion, LungPort, LungStatus } from '../../rig/hardware/ports.ts';
import type { LungHealth } from './health.ts';
import type { LungSettingsAnswer } from './settings.ts';

/** The lung of this service, real or simulated: the port of the rig, and what only its owner can do. */
export interface OwnedLung {
  readonly port: LungPort;
  /** Whether a motion is being started or under way, as far as is known without asking the device. */
  readonly isUnderWay: boolean;
  /** Whether the coils may have current: something was sent that gives it, and nothing since has proven otherwise. */
  readonly mayHaveCurrent: boolean;
  /** Milliseconds that a run takes when no switch is met; undefined while the device has not told its settings. */
  plannedMs(motion: LungMotion): number | undefined;
  /** Current without motion. @throws RigError */
  energize(signal?: AbortSignal): Promise<LungStatus>;
  /** Resolves when it has begun. @throws RigError */
  home(direction: LungDirection, signal?: AbortSignal): Promise<LungStatus>;
  settings(): LungSettingsAnswer;
  /** What is known of the device. Never throws. @param waitMs that a fresh probe of it may take */
  health(waitMs: Milliseconds, maxAgeMs: Milliseconds): Promise<LungHealth>;
  /** `svc_device_up`, from what is known already; undefined for what is not a device. */
  isUp(): boolean | undefined;
  /** Opens the device, which may be missing, and leaves it halted and de-energized. */
  open(): Promise<void>;
  close(): Promise<void>;
}
