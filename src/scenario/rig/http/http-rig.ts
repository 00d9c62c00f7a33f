import type { Clock } from '../../../lib/clock/clock.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import type { Calibration } from '../../../rig/calibration/calibration.ts';
import { calibrationStatus } from '../../../rig/calibration/calibration-status.ts';
import type { Peripheral, Registry, Sensor } from '../../../rig/registry/registry.ts';
import { RunFault } from '../fault.ts';
import { beyondMeasurable, type LimitedQuantity, type PlainLimit } from '../measurable.ts';
import type { RigObserver } from '../observer.ts';
import type {
  ApiAnswer,
  ApiRequest,
  Elapsed,
  Identity,
  RawReading,
  ReadRequest,
  Rig,
  RigMarks,
  RigUses,
  SafeStateReport,
  Setting,
} from '../rig.ts';
import { apiCall } from './api-call.ts';
import { awaitSafeState } from './await-safe-state.ts';
import { type Answer, BridgeClient, type Fetch } from './bridge-client.ts';
import { contradictionOf } from './contradiction.ts';
import { identityOf } from './identity.ts';
import { JointReads } from './joint-reads.ts';
import { Lease } from './lease.ts';
import { preflight, requireCalibrations, requireMeasurableLimits } from './preflight.ts';
import {
  isRecord,
  rejectionOf,
  saysBench,
  saysLeaseLost,
  saysSafeState,
  saysSimulated,
} from './rejection.ts';
import { makeSafe } from './safe-state.ts';
import { readingOf } from './sensor-answer.ts';
import { lungServiceCall, peripheralCall, settingCall } from './setting-call.ts';
import { entryOf, isOn } from './state-entry.ts';

const READ_TIMEOUT_MS = 5000;

export interface HttpRigOptions {
  /** Base addresses without a slash at the end. */
  readonly firmwareUrl: string;
  readonly serverUrl?: string;
  readonly lungUrl?: string;
  readonly registry: Registry;
  readonly clock: Clock;
  /** Used in place of connections of its own. */
  readonly fetch?: Fetch;
  readonly token?: string;
  /** Name under which the lease is taken. */
  readonly owner: string;
  readonly simulated: boolean;
  readonly requireReal: boolean;
  /** Absent: no. */
  readonly requireMock?: boolean;
  /** A bench will do without a guard. */
  readonly withoutGuard: boolean;
  readonly mirror: boolean;
  readonly observer: RigObserver;
}

/** The rig behind the firmware bridge. */
export class HttpRig implements Rig {
  readonly #options: HttpRigOptions;
  readonly #client: BridgeClient;
  readonly #lease: Lease;
  /** Absent behind a bridge that does not know it. */
  #joint: JointReads | undefined;
  #marks: RigMarks = { simulated: false, bench: false };
  #uses: RigUses = { peripherals: [], sensors: [], calibrated: [], unmeasurable: [] };

  constructor(options: HttpRigOptions) {
    this.#options = options;
    const { clock, fetch, token, observer, firmwareUrl, owner } = options;
    this.#client = new BridgeClient(clock, fetch, token, observer);
    this.#lease = new Lease(this.#client, clock, firmwareUrl, owner, observer);
  }

  get marks(): RigMarks {
    return this.#marks;
  }

  get leased(): boolean {
    return this.#lease.id !== undefined;
  }

  async preflight(uses: RigUses, signal: AbortSignal): Promise<void> {
    this.#uses = uses;
    const { firmwareUrl: base, registry, clock, ...options } = this.#options;
    const client = this.#client;
    const { simulated, requireReal, requireMock = false, withoutGuard } = options;
    const allowed = { simulated, requireReal, requireMock, withoutGuard };
    const { marks, readsEach } = await preflight({ client, base, uses, registry, ...allowed, clock, signal });
    this.#mark(marks);
    if (readsEach && !this.#options.fetch)
      this.#joint = new JointReads({ client, clock, base, timeoutMs: READ_TIMEOUT_MS });
    requireMeasurableLimits(uses.unmeasurable);
    requireCalibrations(uses.calibrated, registry, clock.now());
  }

  acquire(): Promise<void> {
    return this.#lease.acquire();
  }

  async read(request: ReadRequest, signal: AbortSignal): Promise<RawReading> {
    const { registry, clock } = this.#options;
    if (!registry.sensor(request.id))
      throw new RunFault(
        'SCN222',
        `"${request.name}" is neither a sensor of the rig nor a variable of this scenario`,
      );
    let answer: Answer;
    try {
      answer = await this.#answerOf(request, signal);
    } catch (thrown) {
      throw signal.aborted ? thrown : readFailed(request, thrown);
    }
    const reading = readingOf(answer, request, registry, clock.now());
    this.#checkMarks(reading, `reading of ${request.name} (${request.id})`, 'goal');
    return reading;
  }

  #answerOf({ id, background }: ReadRequest, signal: AbortSignal): Promise<Answer> {
    if (background && this.#joint) return this.#joint.read(id, signal);
    const url = `${this.#options.firmwareUrl}/api/v1/hardware/sensor/${encodeURIComponent(id)}`;
    // A sample has the next point instead of a second question.
    if (background)
      return this.#client.send({ method: 'GET', url, timeoutMs: READ_TIMEOUT_MS, signal, quiet: true });
    return this.#askTwice(url, signal);
  }

  /** A read changes nothing and may be asked for once more. */
  async #askTwice(url: string, signal: AbortSignal): Promise<Answer> {
    const call = { method: 'GET', url, timeoutMs: READ_TIMEOUT_MS, signal } as const;
    try {
      return await this.#client.send({ ...call, once: true });
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      // Other kept connections may have broken with the first.
      return await this.#client.send(call);
    }
  }

  elapsed(sinceMs: number): Elapsed {
    const value = this.#options.clock.monotonic() - sinceMs;
    return { value, unit: 'ms', source: 'timer', simulated: false };
  }

  calibrationFault(calibration: Calibration): string | null {
    return calibrationStatus(calibration, this.#options.clock.now()).fault;
  }

  unreachable(sensor: Sensor, limit: PlainLimit, quantity: LimitedQuantity): string | undefined {
    return beyondMeasurable(sensor.id, sensor, limit, quantity);
  }

  async apply(setting: Setting, signal: AbortSignal): Promise<void> {
    const { firmwareUrl, lungUrl, mirror } = this.#options;
    let answer = await this.#actuate(settingCall(firmwareUrl, setting), signal);
    if (setting.kind === 'lung' && lungUrl !== undefined && knowsNoLung(answer))
      answer = await this.#actuate(lungServiceCall(lungUrl, setting), signal);
    const rejection = rejectionOf(answer) ?? contradictionOf(answer, setting, this.#options.registry);
    if (rejection !== undefined) throw await this.#rejected(answer, rejection);
    const body = isRecord(answer.json) ? answer.json : {};
    this.#checkMarks({ simulated: saysSimulated(body), bench: saysBench(body) }, setting.id, 'run');
    if (mirror && (setting.kind === 'pump' || setting.kind === 'valve')) await this.#mirror(setting, signal);
  }

  #actuate(call: ReturnType<typeof settingCall>, signal: AbortSignal): Promise<Answer> {
    return this.#client.send({ ...call, headers: this.#leaseHeaders(), signal });
  }

  /** @throws RunFault when there is no lease to actuate under */
  #leaseHeaders(): Record<string, string> {
    const { id } = this.#lease;
    if (id === undefined)
      throw new RunFault('SCN408', 'no lease is held; nothing was sent', { scope: 'run' });
    return { 'x-lease-id': id };
  }

  async #rejected(answer: Answer, rejection: string): Promise<RunFault> {
    if (saysLeaseLost(answer)) return this.#lease.refused(rejection, answer);
    // It says that a safe state came between, not whose: the lease, when it has ended, says that.
    if (saysSafeState(answer)) await this.#lease.confirm();
    return new RunFault('SCN405', rejection, { scope: 'run' });
  }

  async #mirror(setting: Extract<Setting, { kind: 'pump' | 'valve' }>, signal: AbortSignal): Promise<void> {
    const value = setting.kind === 'pump' ? setting.powerPct : setting.open;
    const report = (why: string) =>
      this.#options.observer.warning(`the state of ${setting.id} could not be mirrored: ${why}`);
    try {
      const call = peripheralCall(this.#options.firmwareUrl, setting.id, value);
      const rejection = rejectionOf(await this.#actuate(call, signal));
      if (rejection !== undefined) report(rejection);
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      report(messageOf(thrown));
    }
  }

  async valveState(id: string, signal: AbortSignal): Promise<boolean> {
    const json = await this.#get('/api/v1/state', signal);
    const entry = entryOf(json, id);
    const fail = (why: string) => new RunFault('SCN402', `the state of ${id} is not known: ${why}`);
    if (!entry) throw fail('the bridge does not list it');
    if (typeof entry.status === 'string' && entry.status !== 'ok' && entry.status !== 'mock')
      throw fail(typeof entry.error === 'string' ? entry.error : `status ${entry.status}`);
    const open = isOn(entry.currentValue);
    if (open === undefined) throw fail(`currentValue is ${JSON.stringify(entry.currentValue)}`);
    const simulated = saysSimulated(entry) || entry.mode === 'mock';
    this.#checkMarks({ simulated, bench: saysBench(entry) }, `state of ${id}`, 'goal');
    return open;
  }

  async identify(signal: AbortSignal): Promise<Identity> {
    const json = await this.#get('/api/v1/hardware/identify?scan=never', signal);
    const identity = identityOf(json);
    if (!identity) throw new RunFault('SCN402', 'the identify answer of the bridge has no lists of devices');
    return identity;
  }

  async #get(path: string, signal: AbortSignal): Promise<unknown> {
    const url = this.#options.firmwareUrl + path;
    const answer = await this.#askTwice(url, signal);
    const rejection = rejectionOf(answer);
    if (rejection !== undefined) throw new RunFault('SCN402', `${url}: ${rejection}`);
    return answer.json;
  }

  async call(request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> {
    const { firmwareUrl: firmware, serverUrl: server } = this.#options;
    // Without a lease only reads are sent: what acts would act on a rig that is not this run's any more.
    if (request.method !== 'GET') this.#leaseHeaders();
    return apiCall(this.#client, { firmware, server }, request, this.#lease.id, signal);
  }

  confirmLease(): Promise<boolean> {
    return this.#lease.confirm();
  }

  async safeState(): Promise<SafeStateReport> {
    const { firmwareUrl: base, lungUrl, owner, clock, registry } = this.#options;
    const client = this.#client;
    const leaseId = this.#lease.id;
    // The bridge makes the rig safe when a lease ends: nothing is sent to a rig that may be somebody else's by now.
    if (leaseId === undefined) return awaitSafeState({ client, base, owner, clock });
    this.#lease.stopRenewal();
    const used = new Set(this.#uses.peripherals);
    const { answer, ...report } = await makeSafe({
      ...{ client, base, lungUrl, leaseId, valves: this.#valves(), registry, used },
    });
    if (isRecord(answer?.json) && answer.json.lease_held === false)
      this.#lease.refused('the bridge had ended it', answer);
    // Single calls say nothing of the lease, and a verdict counts only when it was held until now.
    if (answer === undefined) await this.#lease.confirm();
    return report;
  }

  #valves(): Peripheral[] {
    const { registry } = this.#options;
    const valves = new Map<string, Peripheral>();
    for (const name of registry.peripheralNames()) {
      const one = registry.peripheral(name);
      if (one?.kind === 'valve') valves.set(one.id, one);
    }
    return [...valves.values()];
  }

  release(asIs: boolean): Promise<void> {
    return this.#lease.release(asIs);
  }

  #mark(found: Partial<RigMarks>): void {
    this.#marks = {
      simulated: this.#marks.simulated || found.simulated === true,
      bench: this.#marks.bench || found.bench === true,
    };
    this.#options.observer.marked(found);
  }

  /** Answers that do not come from hardware are marked where that is allowed, and refused where it is not. */
  #checkMarks(found: RigMarks, what: string, scope: 'goal' | 'run'): void {
    const { simulated, requireReal } = this.#options;
    if (found.simulated && (!simulated || requireReal))
      throw new RunFault(
        'SCN404',
        `${what}: simulated, not measured by hardware; add --simulated to run on a simulation`,
        {
          scope,
        },
      );
    if (found.bench && requireReal)
      throw new RunFault('SCN404', `${what}: comes from a bench, but require_real demands the real rig`, {
        scope,
      });
    const { marks } = this;
    if ((found.simulated && !marks.simulated) || (found.bench && !marks.bench)) this.#mark(found);
  }
}

const readFailed = ({ name, id }: ReadRequest, cause: unknown): RunFault =>
  new RunFault('SCN402', `reading of ${name}${name === id ? '' : ` (${id})`} failed: ${messageOf(cause)}`, {
    cause,
  });

/** 404 without a JSON `ok`: a bridge that has no lung routes. */
const knowsNoLung = ({ status, json }: Answer): boolean =>
  status === 404 && !(isRecord(json) && 'ok' in json);
