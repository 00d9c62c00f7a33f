import { accessSync, constants, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from '../../lib/errors/reason.ts';
import { planSwitch, type SwitchPlan } from '../../rig/profiles/plan.ts';
import { type AdcService, type Profile, servicesOf } from '../../rig/profiles/profile.ts';
import {
  heldByOthers,
  holderText,
  hungPids,
  isUp,
  type LockState,
} from '../../rig/profiles/profile-status.ts';
import { writeAtomically } from '../../scenario/outputs/atomic-write.ts';
import { requireSupervisor } from '../services/require-supervisor.ts';
import { lastLines, pidOf } from '../start/await-ready.ts';
import { claimFolder, createParts } from '../start/folder-content.ts';
import { onlySwitch } from '../start/only-one.ts';
import { endProcess, ownProcesses } from '../start/own-processes.ts';
import { inUseError, startError } from '../start/start-error.ts';
import { adcApps, adcProcesses, askLocks } from './observe.ts';
import { refuseWhileLeased } from './refuse-while-leased.ts';
import type { RigPlace } from './rig-place.ts';

export interface SwitchReport {
  profile: Profile;
  /** Ran already and went on undisturbed. */
  kept: readonly AdcService[];
  stopped: readonly AdcService[];
  /** Processes that had lost their supervisor. */
  ended: readonly { name: AdcService; pid: number }[];
  started: readonly AdcService[];
  durationMs: number;
}

/** For exit and free locks. */
const FREE_LIMIT_MS = 10_000;
/** PM2 starts again what ended; an emulated Pi is slow. */
const READY_LIMIT_MS = 30_000;
/** PM2 writes the pid file anew when it starts a service again, at first after 200 ms. */
const GONE_MS = 1500;
const POLL_MS = 20;
/** Each takes half a second when there is no answer. */
const HUNG_ASKS = 4;
/** PM2 kills after 8 s what does not end by itself. */
const KILL_LIMIT_MS = 8000;

/**
 * Brings the rig to a profile, wherever it comes from: the other one, a switch that was cut off, a supervisor that
 * died. Nothing of the new profile is started before all of the old one has ended and its locks are free.
 * @throws CliError: `switch_running`, `profile_held`, `lease_held` with exit code 75; `profile_stuck`, `profile_not_ready`,
 *   `supervisor_busy`, `supervisor_failed`, `profile_unwritable` with exit code 3
 */
export async function switchProfile(place: RigPlace, wanted: Profile): Promise<SwitchReport> {
  claimFolder(place.folder);
  const unlock = await onlySwitch(place.folder, place.io.clock);
  try {
    return await new Switch(place, wanted).run();
  } finally {
    await unlock();
  }
}

/** Before anything is stopped. @throws CliError `profile_unwritable` */
function requireWritable(profileFile: string): void {
  const folder = dirname(profileFile);
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    const message = `${profileFile} cannot be written, nothing was stopped or started: run svcctl as the user of the rig (${reasonOf(cause)})`;
    throw startError('profile_unwritable', message, { cause });
  }
}

class Switch {
  readonly #place: RigPlace;
  readonly #wanted: Profile;
  readonly #startedAt: number;

  constructor(place: RigPlace, wanted: Profile) {
    this.#place = place;
    this.#wanted = wanted;
    this.#startedAt = place.io.clock.monotonic();
  }

  async run(): Promise<SwitchReport> {
    const { supervisor, folder, profileFile } = this.#place;
    createParts(folder);
    requireWritable(profileFile);
    await requireSupervisor(this.#place);
    const observed = this.#startedAt + FREE_LIMIT_MS;
    await this.#noCommandUnderWay(observed);
    const hung = await this.#hung(await this.#noOtherHolder(observed));
    const apps = adcApps(await supervisor.list());
    const plan = planSwitch(this.#wanted, apps, adcProcesses(folder), hung);
    if (plan.stop.length + plan.end.length > 0) await refuseWhileLeased(this.#place, this.#again);
    const until = this.#clock.monotonic() + FREE_LIMIT_MS;
    await this.#stop(plan);
    await this.#freed(plan, until);
    writeAtomically(profileFile, `${this.#wanted}\n`);
    if (plan.start.length > 0) await supervisor.start(plan.start);
    const changed = plan.start.length + plan.stop.length > 0;
    // What `pm2 resurrect` brings back shall be this profile.
    await Promise.all([this.#ready(), changed ? supervisor.ask(['save', '--force']) : undefined]);
    return {
      profile: this.#wanted,
      kept: plan.keep,
      stopped: plan.stop,
      ended: plan.end.map(({ name, pid }) => ({ name, pid })),
      started: plan.start,
      durationMs: Math.round(this.#clock.monotonic() - this.#startedAt),
    };
  }

  get #clock() {
    return this.#place.io.clock;
  }

  #locks(): Promise<LockState[]> {
    return askLocks(this.#place.settings, this.#clock);
  }

  /** A switch that was killed leaves its command of PM2 running: what that still starts must be seen. */
  async #noCommandUnderWay(until: number): Promise<void> {
    for (;;) {
      const [command] = ownProcesses(this.#place.folder, ['pm2-command']);
      if (command === undefined) return;
      if (this.#clock.monotonic() >= until)
        throw startError(
          'supervisor_busy',
          `a pm2 command (pid ${command.pid}) does not end, nothing was stopped or started: kill ${command.pid}, then ${this.#again}`,
        );
      await this.#clock.sleep(POLL_MS);
    }
  }

  /** A holder that a switch cannot end is waited for before anything is stopped: a refusal changes nothing. */
  async #noOtherHolder(until: number): Promise<LockState[]> {
    for (;;) {
      const locks = await this.#locks();
      const ours = adcProcesses(this.#place.folder).filter(({ bornSupervised }) => bornSupervised);
      const others = heldByOthers(locks, new Set(ours.map(({ pid }) => pid)));
      if (others.length === 0) return locks;
      if (this.#clock.monotonic() >= until) throw this.#held(others, 'nothing was stopped or started');
      await this.#clock.sleep(POLL_MS);
    }
  }

  /** A busy service may be late once; one that never answers is started anew. */
  async #hung(locks: readonly LockState[]): Promise<Set<number>> {
    let hung = hungPids(locks);
    for (let asked = 1; asked < HUNG_ASKS && hung.size > 0; asked++) {
      const again = hungPids(await this.#locks());
      hung = new Set([...hung].filter((pid) => again.has(pid)));
    }
    return hung;
  }

  async #stop({ stop, end }: SwitchPlan): Promise<void> {
    await Promise.all([
      // As one pattern: PM2 stops what it finds at once, but names one after the other.
      stop.length > 0
        ? this.#place.supervisor.ask(['delete', `/^(${stop.join('|')})$/`], FREE_LIMIT_MS)
        : undefined,
      ...end.map(({ pid }) => endProcess(pid, KILL_LIMIT_MS, this.#clock)),
    ]);
  }

  /** Until nothing runs and nothing is held but what is kept. */
  async #freed({ keep }: SwitchPlan, until: number): Promise<void> {
    for (;;) {
      const processes = adcProcesses(this.#place.folder);
      const left = processes.filter(({ name, bornSupervised }) => bornSupervised && !keep.includes(name));
      const kept = new Set(processes.filter(({ name }) => keep.includes(name)).map(({ pid }) => pid));
      const held = heldByOthers(await this.#locks(), kept);
      if (left.length + held.length === 0) return;
      if (this.#clock.monotonic() >= until) {
        if (held.length > 0) throw this.#held(held, 'nothing was started');
        const names = left.map(({ name, pid }) => `${name} (pid ${pid})`).join(', ');
        throw startError(
          'profile_stuck',
          `${names} did not end within ${FREE_LIMIT_MS / 1000} s, nothing was started: kill -9 it, then ${this.#again}`,
        );
      }
      await this.#clock.sleep(POLL_MS);
    }
  }

  /** Until every service of the profile owns its devices and listens. */
  async #ready(): Promise<void> {
    const { folder, supervisor } = this.#place;
    const until = this.#clock.monotonic() + READY_LIMIT_MS;
    const seenAt = new Map<AdcService, number>();
    for (;;) {
      const locks = await this.#locks();
      if (isUp(this.#wanted, locks)) return;
      const now = this.#clock.monotonic();
      for (const name of servicesOf(this.#wanted)) {
        if (pidOf(name, folder) !== undefined || !seenAt.has(name)) seenAt.set(name, now);
        const gone = now - (seenAt.get(name) ?? now) >= GONE_MS;
        if (!gone && now < until) continue;
        const ours = new Set(adcProcesses(folder).map(({ pid }) => pid));
        const others = heldByOthers(locks, ours);
        if (others.length > 0) throw this.#held(others, `${name} could not start`);
        const state = (await supervisor.list()).find((app) => app.name === name)?.state ?? 'not known to PM2';
        const message = `${name} is not up (${state})${lastLines(name, folder)}\nrepair that, then ${this.#again}`;
        throw startError('profile_not_ready', message);
      }
      await this.#clock.sleep(POLL_MS);
    }
  }

  #held(locks: readonly LockState[], outcome: string) {
    const holders = locks.map((lock) => `the ${lock.device} is still held by ${holderText(lock)}`);
    const pids = locks.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
    const how = pids.length > 0 ? `kill ${[...new Set(pids)].join(' ')}` : 'end that program';
    return inUseError('profile_held', `${holders.join('; ')}; ${outcome}: ${how}, then ${this.#again}`);
  }

  get #again(): string {
    return `svcctl profile ${this.#wanted}`;
  }
}
