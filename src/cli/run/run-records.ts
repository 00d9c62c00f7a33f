import process from 'node:process';
import { CodedError } from '../../lib/errors/coded-error.ts';
import { rigKey, stateDirOf } from '../../lib/liveness/live-address.ts';
import { acquireLock, type Lock, LockHeldError } from '../../lib/lock/lock.ts';
import { version } from '../../lib/version.ts';
import type { Mode } from '../../scenario/events/event.ts';
import type { OutputError } from '../../scenario/outputs/output-error.ts';
import { sha256 } from '../../scenario/records/event-chain.ts';
import { RecordError } from '../../scenario/records/record-error.ts';
import { readRigKey } from '../../scenario/records/rig-key.ts';
import { endingOf } from '../../scenario/records/run-ending.ts';
import { RunStore } from '../../scenario/records/run-store.ts';
import type { RunWriter } from '../../scenario/records/run-writer.ts';
import type { Result } from '../../scenario/run/result.ts';
import { type ConfiguredRig, loadConfiguredRig } from '../../services/server/configured-rig.ts';
import { endedBeforeIn } from '../../services/server/run-index/queries/ended-before.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { testedUnit } from '../options/tested-unit.ts';
import { firmwareUrl } from '../options/url.ts';
import type { RunRequest } from './perform-run.ts';

const STARTED_BY = 'svcctl';

/** The records that `--record DIR` keeps: one folder for each run below `DIR/runs`, as svc-server keeps them. */
export class RunRecords {
  readonly #store: RunStore;
  readonly #lock: Lock;
  readonly #rig: ConfiguredRig;
  readonly #io: Io;
  readonly #running: Set<string>;

  private constructor(store: RunStore, lock: Lock, rig: ConfiguredRig, io: Io, running: Set<string>) {
    this.#store = store;
    this.#lock = lock;
    this.#rig = rig;
    this.#io = io;
    this.#running = running;
  }

  /** @param folder absolute @throws CliError exit code 2: nothing has been run yet */
  static async open(folder: string, io: Io): Promise<RunRecords> {
    const { clock, env, cwd } = io;
    const since = new Date(clock.now()).toISOString();
    const store = new RunStore(folder, keyFolder(folder, env));
    const running = new Set<string>();
    try {
      store.requireWritable();
      // The lock of svc-server on its records: two writers would give one number to two runs.
      const lock = await acquireLock({
        key: `svc-server-${rigKey(folder)}`,
        identity: () => ({ service: STARTED_BY, pid: process.pid, port: null, since, runs: [...running] }),
        clock,
      });
      await recoverOwn(store, folder, io);
      return new RunRecords(store, lock, loadConfiguredRig(env, cwd), io, running);
    } catch (thrown) {
      if (thrown instanceof LockHeldError) {
        const { service = 'another program', pid } = thrown.holder ?? {};
        const holder = pid === undefined ? service : `${service} (pid ${pid})`;
        throw usageError(`--record ${folder}: ${holder} keeps its records there; name another folder`);
      }
      if (!(thrown instanceof RecordError)) throw thrown;
      throw new CliError(thrown.code, `--record: ${thrown.message}`, EXIT.usage, { cause: thrown });
    }
  }

  /** Begins the record of a run. @throws RecordError; then nothing is run */
  begin({ source, sources, options }: RunRequest): RunWriter {
    const { mode, simulated = false, var: variables = {} } = options;
    const tested = testedUnit(options);
    const { clock, env } = this.#io;
    const writer = this.#store.create(
      {
        scenario: {
          id: idOf(source.name),
          file: source.name,
          sha256: sha256(source.bytes),
          includes: sources.includes,
        },
        mode,
        // The preflight refuses a mock bridge unless a simulation is allowed.
        hardware_mode: mode === 'execute' && !simulated ? 'real' : 'mock',
        simulation_allowed: simulated,
        variables,
        operator: tested.operator,
        unit_under_test: tested.unit,
        part: tested.part,
        revision: tested.revision,
        batch: tested.batch,
        started_by: STARTED_BY,
        requested_by: { address: null, request_id: `${STARTED_BY} ${process.pid}` },
        software: { name: 'svc-rig', version },
        configuration: this.#rig.configuration,
        calibrations: this.#rig.calibrations,
        firmware_url: firmwareUrl(options.firmwareUrl, env),
      },
      source.bytes,
      clock.now(),
    );
    this.#running.add(writer.identity.run_id);
    return writer;
  }

  /** Ends the record of a run. @returns why it is not on the disk */
  end(writer: RunWriter, result: Result, mode: Mode): OutputError[] {
    const endedAt = new Date(this.#io.clock.now()).toISOString();
    const { file, fault } = writer.end(endingOf(result, endedAt, mode === 'validate'), result);
    this.#store.ended(file);
    this.#running.delete(file.identity.run_id);
    return fault ? [fault] : [];
  }

  close(): Promise<void> {
    return this.#lock.release();
  }
}

/** The key of this rig where this account may read it; elsewhere the folder has a key of its own. */
const keyFolder = (folder: string, env: Io['env']): string => {
  const stateDir = stateDirOf(env);
  return readRigKey(stateDir) ? stateDir : folder;
};

/** Runs of an svcctl that was killed are ended as aborted; those of a server are its own to end. */
async function recoverOwn(store: RunStore, folder: string, { clock, stderr }: Io): Promise<void> {
  for (const file of store.unended()) {
    if (!file.identity.requested_by?.request_id?.startsWith(STARTED_BY)) continue;
    try {
      const { run_id: id } = file.identity;
      const endedBefore = endedBeforeIn(folder, [id]).includes(id);
      await store.recover(file, clock.now(), { endedBefore });
    } catch (thrown) {
      if (!(thrown instanceof CodedError)) throw thrown;
      stderr.write(`svcctl: warning: ${thrown.message}\n`);
    }
  }
}

/** `scenarios/mask-leak.oql` -> `mask-leak`, as svc-server names it. */
const idOf = (name: string): string => name.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '') || name;
