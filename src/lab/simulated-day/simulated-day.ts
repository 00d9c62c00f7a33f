import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { mergeConfig } from '../../rig/configuration/load-config.ts';
import { parseConfig } from '../../rig/configuration/read-file.ts';
import { OperatorStopMemory } from '../../rig/safe-state/operator-stop-record.ts';
import type { Bridge } from '../../services/bridge/bridge.ts';
import { openRig, type RunningBridge, startBridge } from '../../services/bridge/start-bridge.ts';
import { type Actors, type Counts, hand, runner, stopper, taker } from './actors.ts';
import { injectFaults } from './faults.ts';
import { HttpTap } from './http-tap.ts';
import { serverAt } from './in-process.ts';
import { MemoryRig } from './memory-rig.ts';
import { type Findings, OutputOracle } from './output-oracle.ts';
import { PermissionOracle } from './permission-oracle.ts';
import { StoppableClock } from './stoppable-clock.ts';

const HOUR_MS = 3_600_000;
const STEP_MS = 1000;
const LOOK_MS = 100;
const MANUAL_HOLD_S = 15;
/** PM2 waits so long before it starts a bridge again. */
const RESTART_MS = 200;
/** The longest hold and what follows it: after so long everything must be off. */
const AFTERMATH_MS = 200_000;

const YAML = `
plugins:
  modbus-io: {connection_type: modbus-rtu, connection_params: {serial_port: /dev/valves}}
  pump-motor: {connection_type: modbus-rtu, connection_params: {serial_port: /dev/pump}}
  lung-motor: {connection_type: usb, connection_params: {}}
  sensor-adc: {connection_type: i2c, connection_params: {bus: /dev/i2c-1}}
`;

export interface DayOptions {
  hours: number;
  seed: number;
  /** Tests of the watcher itself: done to every bridge before anything moves. */
  tamper?: (bridge: Bridge) => void;
  /** Told of everything: requests, answers, moves, faults and what the bridge says, each with its second. */
  told?: (line: string) => void;
}

export interface DayReport extends Findings, Counts {
  hours: number;
  faults: Record<string, number>;
  safeStates: Record<string, number>;
  bridges: { ended: number; killed: number };
  /** Outputs that were on at the very end. */
  leftOn: string[];
}

/**
 * Hours of work on one rig in one process on a stepped clock: the bridge with its real drivers and its HTTP, the twins
 * on their plant, people with and without lease, some of whom vanish, and devices that fail. The same seed gives the same
 * day.
 */
export async function simulateDay(options: DayOptions): Promise<DayReport> {
  const folder = mkdtempSync(join(tmpdir(), 'day-'));
  try {
    return await new Day(options, folder).live();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

class Day {
  readonly #options: DayOptions;
  readonly #folder: string;
  readonly #clock = new SteppedClock();
  readonly #authority = new PermissionOracle(MANUAL_HOLD_S * 1000);
  readonly #watcher: OutputOracle;
  readonly #door: HttpTap;
  readonly #rig: MemoryRig;
  readonly #told: (line: string) => void;
  readonly #report: Pick<DayReport, keyof Counts | 'faults' | 'safeStates' | 'bridges'> = {
    runs: {},
    leases: 0,
    vanished: 0,
    byHand: 0,
    stops: 0,
    faults: {},
    safeStates: {},
    bridges: { ended: 0, killed: 0 },
  };
  /** Outlives the bridges, as the disk does. */
  readonly #operatorStop = new OperatorStopMemory();
  #running: RunningBridge | undefined;
  #bridgeClock: StoppableClock | undefined;
  #server: Server | undefined;
  #isLow = false;
  /** Work with the machine's own sockets: time stands still meanwhile. */
  #real: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(options: DayOptions, folder: string) {
    const clock = this.#clock;
    this.#options = options;
    this.#folder = folder;
    this.#watcher = new OutputOracle({ authority: this.#authority, now: () => clock.monotonic() });
    const told = (line: string) => options.told?.(`${(clock.monotonic() / 1000).toFixed(3)} ${line}`);
    this.#told = told;
    this.#door = new HttpTap({ clock, authority: this.#authority, told });
    this.#rig = new MemoryRig({
      clock,
      random: seededRandom(options.seed),
      saw: (device, event) => {
        if (event.kind !== 'in' && event.kind !== 'out') told(`${device} ${JSON.stringify(event)}`);
        this.#watcher.saw(device, event);
      },
    });
  }

  async live(): Promise<DayReport> {
    const { hours, seed } = this.#options;
    const clock = this.#clock;
    const endMs = hours * HOUR_MS;
    const goesOn = () => !this.#isOver;
    const chance = (stream: number) => seededRandom(seed * 1000 + stream);
    const people = (stream: number): Actors => ({
      door: this.#door,
      clock,
      random: chance(stream),
      counts: this.#report,
      goesOn,
    });
    void this.#startBridge();
    await this.#stepTo(2000);
    const lives = [
      runner(people(1), 'first'),
      runner(people(2), 'second'),
      hand(people(3)),
      taker(people(4)),
      taker(people(5)),
      stopper(people(6)),
      this.#supervisor(chance(7)),
      injectFaults({
        rig: this.#rig,
        watcher: this.#watcher,
        clock,
        random: chance(8),
        faults: this.#report.faults,
        told: this.#told,
        goesOn,
        supply: (isLow) => {
          this.#isLow = isLow;
          this.#watcher.supply(isLow);
        },
      }),
    ];
    let failed: unknown;
    for (const life of lives)
      life.catch((cause: unknown) => {
        failed ??= cause;
      });
    const look = () => {
      this.#watcher.look();
      if (!this.#isOver) clock.after(LOOK_MS, look);
    };
    look();
    while (clock.monotonic() < endMs && failed === undefined) await this.#stepTo(clock.monotonic() + STEP_MS);
    this.#isOver = true;
    await this.#stepTo(clock.monotonic() + AFTERMATH_MS);
    if (failed !== undefined) throw failed;
    const leftOn = this.#rig.on;
    const ending = this.#running?.shutDown('day_end');
    await this.#stepTo(clock.monotonic() + 10_000);
    await ending;
    return { hours, ...this.#report, ...this.#watcher.findings, leftOn };
  }

  async #stepTo(atMs: number): Promise<void> {
    while (this.#clock.monotonic() < atMs) {
      await this.#real;
      await this.#clock.advance(Math.min(STEP_MS, atMs - this.#clock.monotonic()));
    }
  }

  async #startBridge(): Promise<void> {
    const clock = new StoppableClock(this.#clock);
    const env = {
      SVC_HARDWARE_MODE: 'real',
      SVC_MANUAL_HOLD_S: String(MANUAL_HOLD_S),
      SVC_STATE_DIR: this.#folder,
    };
    const starting = startBridge({
      config: mergeConfig(parseConfig(YAML, 'svc.yaml'), env),
      bind: { host: '127.0.0.1', port: 0 },
      env,
      clock,
      log: (line) => this.#heard(line),
      buildRig: this.#rig.build,
      readThrottled: async () => (this.#isLow ? 1 : 0),
      operatorStopRecord: this.#operatorStop,
    });
    const listening = starting.then(async (running) => {
      this.#options.tamper?.(running.bridge);
      this.#running = running;
      this.#bridgeClock = clock;
      this.#server = await serverAt(running.url);
      this.#door.lead(this.#server);
    });
    this.#real = listening;
    await listening;
    if (this.#running) await openRig(this.#running);
  }

  /** As PM2: a bridge that ended is started again. Now and then one is ended, or killed. */
  async #supervisor(random: () => number): Promise<void> {
    const clock = this.#clock;
    while (!this.#isOver) {
      await clock.sleep((0.3 + 1.5 * random()) * HOUR_MS);
      if (this.#isOver) return;
      if (random() < 0.5) {
        this.#told('the bridge is ended');
        this.#report.bridges.ended++;
        await this.#running?.shutDown('SIGTERM');
        this.#authority.allEnded(clock.monotonic());
      } else {
        this.#told('the bridge is killed');
        this.#report.bridges.killed++;
        this.#killBridge();
      }
      this.#door.lead(undefined);
      await clock.sleep(RESTART_MS);
      await this.#startBridge();
    }
  }

  /** Its timers never fire again, its sockets are gone; nothing of it runs on. */
  #killBridge(): void {
    this.#bridgeClock?.die();
    this.#running?.bridge.life?.close();
    this.#server?.close();
    this.#server?.closeAllConnections();
    this.#authority.allEnded(this.#clock.monotonic());
  }

  /** The bridge may end leases on its own, for a device that was lost: then no one has authority any more. */
  #heard(line: string): void {
    this.#told(`bridge: ${line}`);
    const reason = /^safe state: \S+ \((\w+)\)/.exec(line)?.[1];
    if (reason === undefined) return;
    this.#report.safeStates[reason] = (this.#report.safeStates[reason] ?? 0) + 1;
    this.#authority.allEnded(this.#clock.monotonic());
  }
}
