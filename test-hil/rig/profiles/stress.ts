import { systemClock } from '../../../src/lib/clock/clock.ts';
import { type Random, seededRandom } from '../../../src/lib/random/seeded-random.ts';
import { ADC_SERVICES, PROFILE_NAMES, type Profile, servicesOf } from '../../../src/rig/profiles/profile.ts';
import type { Ended, Program } from '../bench/program.ts';
import { ProfileRig } from './profile-rig.ts';
import { type Testimony, Witness } from './witness.ts';

export interface StressOptions {
  rounds: number;
  seed: number;
  /** Within it all must be up again after a blow, milliseconds. Default 6000. */
  recoveryLimitMs?: number;
  /** Called after each round. */
  progress?: (line: string) => void;
}

export interface StressReport {
  rounds: Record<string, number>;
  /** Of `svcctl profile` from its start to its end, where it switched. */
  switchMs: number[];
  /** From the end of a blow until exactly the wanted services are up. */
  recoveryMs: number[];
  /** Blows after which `svcctl profile` brought back what PM2 may not restart (exit code 75). */
  repairs: number;
  testimony: Testimony;
  /** Promises that were broken; empty when all is well. */
  broken: string[];
}

/** Time for PM2 and the services to come back by themselves, when none is named. */
const RECOVERY_LIMIT_MS = 6000;
const EXIT_IN_USE = 75;

/**
 * Switches, starts by hand, kills of services and of PM2 in random order. After each blow exactly the services of the
 * wanted profile must be up again, and the twin must never have had two clients.
 */
export async function stressProfiles(options: StressOptions): Promise<StressReport> {
  const rig = await ProfileRig.open();
  const stress = new Stress(rig, seededRandom(options.seed), options.recoveryLimitMs ?? RECOVERY_LIMIT_MS);
  try {
    return await stress.run(options);
  } finally {
    await rig.close();
  }
}

type Blow = () => Promise<void>;

class Stress {
  readonly #rig: ProfileRig;
  readonly #random: Random;
  readonly #recoveryLimitMs: number;
  readonly #blows: readonly (readonly [name: string, weight: number, blow: Blow])[];
  readonly #report: Omit<StressReport, 'testimony'> = {
    rounds: {},
    switchMs: [],
    recoveryMs: [],
    repairs: 0,
    broken: [],
  };
  #wanted: Profile = 'stack';

  constructor(rig: ProfileRig, random: Random, recoveryLimitMs: number) {
    this.#rig = rig;
    this.#recoveryLimitMs = recoveryLimitMs;
    this.#random = random;
    this.#blows = [
      ['switch', 24, () => this.#switch(this.#other())],
      ['switch to the same', 4, () => this.#switch(this.#wanted)],
      ['two switches at once', 10, () => this.#twoSwitches()],
      ['switch killed half way', 8, () => this.#killedSwitch()],
      ['start by hand', 12, () => this.#startByHand()],
      ['kill -9 of a service', 14, () => this.#killService()],
      ['kill -9 and start by hand', 6, () => this.#killAndStartByHand()],
      ['pm2 resurrect', 6, async () => void (await this.#rig.pm2('resurrect'))],
      ['pm2 start --only', 8, () => this.#startOnly()],
      ['kill -9 of PM2, as systemd', 4, () => this.#killDaemon('systemd')],
      ['kill -9 of PM2, svcctl', 4, () => this.#killDaemon('svcctl')],
      ['kill -9 of PM2, resurrect', 2, () => this.#killDaemon('resurrect')],
    ];
  }

  async run({ rounds, progress = () => {} }: StressOptions): Promise<StressReport> {
    await this.#switch(this.#wanted);
    const witness = new Witness(this.#rig.benchUrl);
    try {
      for (let round = 1; round <= rounds; round++) {
        const [name, , blow] = this.#draw();
        this.#report.rounds[name] = (this.#report.rounds[name] ?? 0) + 1;
        const startedAt = systemClock.monotonic();
        try {
          await blow();
          await this.#recovered();
        } catch (error) {
          this.#broken(`round ${round}, ${name}: ${error instanceof Error ? error.message : String(error)}`);
          await this.#switch(this.#wanted).catch(() => {});
        }
        const tookMs = Math.round(systemClock.monotonic() - startedAt);
        progress(`${round} ${name}: ${this.#wanted} after ${tookMs} ms`);
      }
    } finally {
      const testimony = await witness.end();
      const [first] = testimony.withTwo;
      if (first !== undefined)
        this.#broken(
          `${testimony.withTwo.length} looks found more than one client at the HID twin, the first after ${first.atMs} ms`,
        );
      Object.assign(this.#report, { testimony });
    }
    return this.#report as StressReport;
  }

  #draw() {
    let rest = this.#random() * this.#blows.reduce((sum, [, weight]) => sum + weight, 0);
    for (const blow of this.#blows) {
      rest -= blow[1];
      if (rest < 0) return blow;
    }
    throw new Error('the weights do not add up');
  }

  #pick<T>(from: readonly T[]): T {
    const picked = from[Math.floor(this.#random() * from.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  #other(): Profile {
    return this.#wanted === 'stack' ? 'standalone' : 'stack';
  }

  #broken(sentence: string): void {
    this.#report.broken.push(sentence);
  }

  /** What PM2 must not restart is brought back by the same command as everything else, and counted. */
  async #recovered(): Promise<void> {
    const startedAt = systemClock.monotonic();
    try {
      await this.#rig.untilUp(this.#wanted, this.#recoveryLimitMs);
    } catch (error) {
      // Only a service that met a held lock may stay down.
      if (!(await this.#endedHeld())) throw error;
      this.#report.repairs++;
      await this.#switch(this.#wanted);
      await this.#rig.untilUp(this.#wanted, this.#recoveryLimitMs);
    }
    this.#report.recoveryMs.push(systemClock.monotonic() - startedAt);
  }

  async #endedHeld(): Promise<boolean> {
    const wanted: readonly string[] = servicesOf(this.#wanted);
    const apps = await this.#rig.apps();
    return apps.some(
      ({ name, state, exitCode }) => wanted.includes(name) && state === 'stopped' && exitCode === EXIT_IN_USE,
    );
  }

  async #switch(profile: Profile): Promise<void> {
    const startedAt = systemClock.monotonic();
    const ended = await this.#rig.svcctl('profile', profile).ended;
    if (ended.code !== 0) throw new Error(`svcctl profile ${profile} ended with ${told(ended)}`);
    if (profile !== this.#wanted) this.#report.switchMs.push(systemClock.monotonic() - startedAt);
    this.#wanted = profile;
    // Not only soon: when the command has ended, it is done.
    const why = await this.#rig.whyNot(profile);
    if (why !== undefined) throw new Error(`svcctl profile ${profile} ended with 0, but ${why}`);
  }

  async #twoSwitches(): Promise<void> {
    const profiles = [this.#pick(PROFILE_NAMES), this.#pick(PROFILE_NAMES)];
    const results = await Promise.all(
      profiles.map(async (profile) => {
        await systemClock.sleep(this.#random() * 50);
        return { profile, ended: await this.#rig.svcctl('profile', profile).ended };
      }),
    );
    const done = results.filter(({ ended }) => ended.code === 0);
    for (const { ended } of results)
      if (ended.code !== 0 && !(ended.code === EXIT_IN_USE && /another switch/.test(ended.stderr)))
        throw new Error(`of two switches one ended with ${told(ended)}`);
    const profile = this.#rig.profile;
    if (profile === undefined || !done.some((one) => one.profile === profile))
      throw new Error(`two switches to ${profiles.join(' and ')} left the profile ${profile}`);
    this.#wanted = profile;
  }

  /** Ctrl-C, or worse, in the middle. */
  async #killedSwitch(): Promise<void> {
    const program = this.#rig.svcctl('profile', this.#other());
    await systemClock.sleep(this.#random() * 1500);
    program.child.kill(this.#pick(['SIGKILL', 'SIGINT']));
    await program.ended;
    await this.#switch(this.#pick(PROFILE_NAMES));
  }

  async #startByHand(): Promise<void> {
    const name = this.#pick(ADC_SERVICES);
    const third = this.#rig.byHand(name);
    if (await isUp(third)) {
      // Long enough for the witness to see what it has to see.
      await systemClock.sleep(200);
      third.child.kill('SIGTERM');
      await third.ended;
      throw new Error(`${name} started by hand runs beside ${this.#wanted}`);
    }
    const ended = await third.ended;
    if (ended.code !== EXIT_IN_USE) throw new Error(`${name} started by hand ended with ${told(ended)}`);
    const holder = this.#rig.processes().find(({ pid }) => ended.stderr.includes(`pid ${pid}`));
    if (holder === undefined) throw new Error(`${name} started by hand names no holder: ${ended.stderr}`);
  }

  #kill(): void {
    // Not the intruder.
    const { pid } = this.#pick(this.#rig.processes().filter(({ bornSupervised }) => bornSupervised));
    process.kill(pid, 'SIGKILL');
  }

  async #killService(): Promise<void> {
    this.#kill();
    // A process that is dying is still there for a moment.
    await systemClock.sleep(20);
  }

  /** In the gap until PM2 starts the service again, a program started by hand may win the lock. */
  async #killAndStartByHand(): Promise<void> {
    const intruder = this.#rig.byHand(this.#pick(ADC_SERVICES));
    await systemClock.sleep(this.#random() * 200);
    this.#kill();
    if (!(await isUp(intruder))) return;
    // It won: the rig says so, and who has to go.
    const refused = await this.#rig.svcctl('profile').ended;
    if (refused.code !== 1 || !refused.stdout.includes(`(pid ${intruder.pid}) was started by hand`))
      throw new Error(`svcctl profile does not name the intruder: ${told(refused)}`);
    intruder.child.kill('SIGTERM');
    await intruder.ended;
    this.#report.repairs++;
    await this.#switch(this.#wanted);
  }

  async #startOnly(): Promise<void> {
    await this.#rig.pm2('start', this.#rig.ecosystem, '--only', this.#pick(ADC_SERVICES));
  }

  async #killDaemon(then: 'systemd' | 'svcctl' | 'resurrect'): Promise<void> {
    for (const pid of this.#rig.daemons()) process.kill(pid, 'SIGKILL');
    if (then === 'svcctl') {
      await this.#switch(this.#pick(PROFILE_NAMES));
      return;
    }
    if (then === 'systemd') await this.#rig.endControlGroup();
    await this.#rig.pm2('resurrect');
    // Beside orphans the resurrected ones end with 75, and nobody looks after the orphans.
    if (then === 'resurrect') await this.#switch(this.#wanted);
  }
}

/** Whether a program became ready; false when it ended instead. */
const isUp = (program: Program): Promise<boolean> =>
  program.until('"ready":true').then(
    () => true,
    () => false,
  );

const told = ({ code, signal, stdout, stderr }: Ended): string => `${code ?? signal}: ${stdout}${stderr}`;
