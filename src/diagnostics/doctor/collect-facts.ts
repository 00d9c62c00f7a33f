import { userInfo } from 'node:os';
import type { Clock } from '../../lib/clock/clock.ts';
import { stateDirOf } from '../../lib/liveness/live-address.ts';
import { askHolder } from '../../lib/lock/ask-holder.ts';
import { lockAddress } from '../../lib/lock/lock-key.ts';
import { safeEndAt } from '../../rig/guard/bridge-end.ts';
import { type GuardReport, readGuardReport } from '../../rig/guard/guard-report.ts';
import { deviceLocks } from '../../rig/profiles/device-locks.ts';
import { type Profile, servicesOf } from '../../rig/profiles/profile.ts';
import { holderText } from '../../rig/profiles/profile-status.ts';
import type { HostRoot } from '../host/host-root.ts';
import type { AdcFacts, HostFacts } from './finding.ts';

export interface FactSources {
  host: HostRoot;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Of the ADC services; undefined when none was chosen. */
  profile: Profile | undefined;
}

/** What the checks need besides the detection. Nothing is opened and nothing is changed. */
export async function collectFacts({ host, env, clock, profile }: FactSources): Promise<HostFacts> {
  return {
    nowMs: clock.now(),
    host,
    env,
    adc: await adcFacts(env, clock, profile).catch(() => undefined),
    guardReport: lastGuardReport(stateDirOf(env)),
    kernelLog: host.readLog('/dev/kmsg'),
    uptimeS: uptimeOf(host),
    account: accountOf(),
    nodeVersion: process.versions.node,
  };
}

/** A bridge that left the rig safe since then has the last word. */
function lastGuardReport(stateDir: string): GuardReport | undefined {
  const report = readGuardReport(stateDir);
  const safeAt = safeEndAt(stateDir);
  return report && safeAt !== undefined && safeAt >= Date.parse(report.at) ? undefined : report;
}

async function adcFacts(
  env: FactSources['env'],
  clock: Clock,
  profile: Profile | undefined,
): Promise<AdcFacts> {
  const locks = await Promise.all(
    deviceLocks(env).flatMap(({ device, keys }) =>
      keys.map(async (key) => ({ device, holder: await askHolder(lockAddress(key), clock) })),
    ),
  );
  return {
    profile: profile ?? null,
    wanted: profile === undefined ? [] : servicesOf(profile),
    locks: locks.flatMap(({ device, holder }) =>
      holder === 'gone'
        ? []
        : [
            {
              device,
              holder: holderText({ holder, pid: undefined }),
              service: typeof holder === 'string' ? null : holder.service,
            },
          ],
    ),
  };
}

/** Undefined for an account without a name. */
function accountOf(): HostFacts['account'] {
  try {
    return { name: userInfo().username, groups: process.getgroups?.() ?? [] };
  } catch {
    return undefined;
  }
}

function uptimeOf(host: HostRoot): number | undefined {
  const seconds = Number.parseFloat(host.read('/proc/uptime') ?? '');
  return Number.isFinite(seconds) ? seconds : undefined;
}
