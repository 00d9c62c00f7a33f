import type { Milliseconds } from '../../lib/quantity.ts';
import { DeviceError } from '../device-error.ts';
import type { Exchange } from '../exchange.ts';
import { isWorthRepeating, type ModbusMaster, type ModbusSession } from '../modbus-rtu/master.ts';
import { ModbusUnit, type ReadOptions } from '../modbus-rtu/unit.ts';
import {
  allCoilsOff,
  COILS,
  coilsOf,
  modesOf,
  OUTPUT_MODES,
  readCoils,
  readInputs,
  readModes,
  writeCoil,
} from './protocol.ts';

export type { Exchange } from '../exchange.ts';

/** A board answers within 20 ms; the rest is for the adapter and for a machine under load. */
const WATCH_REPLY_MS = 150;
const OWN_REPLY_MS = 30;

const NO_BOARD =
  'the device is not an IO 8CH board; check that the address is the port of the valves, and the unit id';

/** The outputs as the board reads them back, never as commanded. */
export interface OutputsReading {
  /** Coil 0..7. */
  outputs: boolean[];
  /** When the reading had come in, the first of several equal ones: wall clock, milliseconds since the Unix epoch. */
  observedAt: number;
}

/**
 * The eight valve outputs of a Waveshare Modbus RTU IO 8CH. An output is reported as switched only when the board
 * echoed the command and a separate reading shows it. Any other end of a command means: state unknown.
 */
export class ModbusIo {
  readonly #unit: ModbusUnit;
  #startedGeneration = -1;
  #modeFault: string | undefined;
  #warnings: string[] = [];

  /**
   * @param options.unit 1..255, default 1
   * @param options.device name in errors, where there are several boards; default `modbus-io`
   */
  constructor(line: ModbusMaster, options: { unit?: number; device?: string } = {}) {
    this.#unit = new ModbusUnit(line, options.device ?? 'modbus-io', options.unit ?? 1);
  }

  /** What was unexpected at the last start and does not stop the device from being used. */
  get warnings(): string[] {
    return [...this.#warnings];
  }

  /** Why outputs are refused (`valve_mode_not_normal`), when they are. */
  get modeFault(): string | undefined {
    return this.#modeFault;
  }

  /**
   * Looks for the board and reads its output modes. Resolves also when a mode is not normal: outputs can then be
   * read and switched off, and switching on is refused. Repeated by itself after the port was opened anew.
   *
   * @throws DeviceError `wrong_device` when something else answers, and those of `ModbusMaster.run`
   */
  start(signal?: AbortSignal): Promise<void> {
    return this.#unit.run((session) => this.#start(session), signal ? { signal } : {});
  }

  /** One FC01 of one coil. @throws as `start` */
  probe(signal?: AbortSignal): Promise<void> {
    return this.#unit.run((session) => this.#probe(session), signal ? { signal } : {});
  }

  /** As `probe`, and that outputs may be switched on. @throws also DeviceError `valve_mode_not_normal` */
  checkHealth(signal?: AbortSignal): Promise<void> {
    const work = async (session: ModbusSession) => {
      if (this.#isStarted) await this.#probe(session);
      else await this.#ensureStarted(session);
    };
    return this.#unit.run(work, signal ? { signal } : {});
  }

  async readOutputs(options: Exchange = {}): Promise<boolean[]> {
    return (await this.observeOutputs(options)).outputs;
  }

  /** With priority `safe` it is the verification of a safe state, and another question goes ahead of it always. */
  observeOutputs(options: Exchange = {}): Promise<OutputsReading> {
    const alwaysSynchronises = options.priority === 'safe';
    return this.#unit.run((session) => this.#readOutputs(session, { alwaysSynchronises }), options);
  }

  /**
   * A reading of outputs that are on, for which there is less time than a lost reply costs otherwise. Each reply is waited
   * for 0.15 s at most, behind a slow gateway twice the usual time; after one that is missing or spoilt, a question of another shape follows after 3.5 silent
   * characters, and the reading behind it counts as any other (`ModbusUnit.read`). Asked at least twice.
   *
   * @param options.withinMs no further question is asked after so many milliseconds
   * @throws DeviceError as `readOutputs`
   */
  watchOutputs(options: { withinMs: Milliseconds; signal?: AbortSignal }): Promise<boolean[]> {
    const endsAt = this.#unit.monotonic() + options.withinMs;
    const patienceMs = Math.max(WATCH_REPLY_MS, 2 * this.#unit.replyMs);
    const work = async (session: ModbusSession) => {
      for (let asked = 1; ; asked++) {
        const leftMs = endsAt - this.#unit.monotonic();
        const replyWithinMs = leftMs > 0 ? Math.min(patienceMs, leftMs) : patienceMs;
        try {
          const alwaysSynchronises = asked > 1;
          const urgent = { replyWithinMs };
          return (await this.#readOutputs(session, { alwaysSynchronises, urgent })).outputs;
        } catch (error) {
          const isOver = asked > 1 && this.#unit.monotonic() >= endsAt;
          if (!isWorthRepeating(error) || session.signal.aborted || isOver) throw error;
          // Something was received, perhaps the late reply to the question before: then the reply to this one still comes.
          if (error.code === 'corrupt_response') await this.#unit.sleep(OWN_REPLY_MS, session.signal);
        }
      }
    };
    return this.#unit.run(work, options.signal ? { signal: options.signal } : {});
  }

  /**
   * @param coil 0..7
   * @throws DeviceError `value_out_of_range`, `valve_mode_not_normal`, `valve_unverified`, and those of `ModbusMaster.run`
   */
  async setOutput(coil: number, on: boolean, options: Exchange = {}): Promise<void> {
    if (!Number.isInteger(coil) || coil < 0 || coil >= COILS) {
      throw this.#unit.fail('value_out_of_range', `coil ${coil} is not 0 to ${COILS - 1}`);
    }
    const work = async (session: ModbusSession) => {
      // Closing is never refused: what the board really does then is for the read-back to tell.
      if (on) await this.#ensureStarted(session);
      const seen = await this.#writeVerified(session, () =>
        session.write(writeCoil(this.#unit.id, coil, on)),
      );
      if (seen.outputs[coil] === on) return;
      const message = `output ${coil} was set ${stateName(on)} and echoed it, but reads ${stateName(!on)}`;
      throw this.#unit.fail('valve_unverified', message, { sent: true });
    };
    return this.#unit.run(work, { ...options, actuates: on });
  }

  /**
   * Switches all eight off and reads them back. Never refused for an output mode: it is the safe state. Behind a lost
   * reply the command is on the line at once, and counts when it was echoed and read back after the quiet time.
   *
   * @throws DeviceError `valve_unverified` naming the outputs still on, and those of `ModbusMaster.run`
   */
  allOff(options: Exchange = {}): Promise<void> {
    const work = async (session: ModbusSession) => {
      const write = () => session.write(allCoilsOff(this.#unit.id), { isSentAhead: true });
      try {
        await write();
      } catch (error) {
        if (!isWorthRepeating(error) || session.signal.aborted) throw error;
        // At once, without a reading in between: it may be given any number of times.
        await write();
      }
      const seen = await this.#readOutputs(session);
      const stillOn = seen.outputs.flatMap((on, coil) => (on ? [coil] : []));
      if (stillOn.length === 0) return;
      const message = `all outputs were set off, but ${stillOn.join(', ')} still read on`;
      throw this.#unit.fail('valve_unverified', message, { sent: true });
    };
    return this.#unit.run(work, options);
  }

  /**
   * A write and the reading behind it. A write that is worth repeating (`isWorthRepeating`) is repeated once, after the
   * outputs were read: the coil commands used here may be given twice.
   */
  async #writeVerified(session: ModbusSession, write: () => Promise<void>): Promise<OutputsReading> {
    try {
      await write();
    } catch (error) {
      if (!isWorthRepeating(error) || session.signal.aborted) throw error;
      await this.#readOutputs(session);
      await write();
    }
    return this.#readOutputs(session);
  }

  async #readOutputs(session: ModbusSession, options: ReadOptions = {}): Promise<OutputsReading> {
    const { id } = this.#unit;
    // Nothing else asks for the inputs, and their reply cannot be taken for one about outputs.
    const reading = await this.#unit.read(session, readCoils(id), readInputs(id), options);
    return { outputs: coilsOf(reading.data), observedAt: reading.observedAt };
  }

  /** A refused board is asked again, so that a person's correction counts without a restart. */
  get #isStarted(): boolean {
    return this.#startedGeneration === this.#unit.generation && this.#modeFault === undefined;
  }

  async #ensureStarted(session: ModbusSession): Promise<void> {
    if (!this.#isStarted) await this.#start(session);
    if (this.#modeFault !== undefined) throw this.#unit.fail('valve_mode_not_normal', this.#modeFault);
  }

  async #probe(session: ModbusSession): Promise<void> {
    await this.#unit.identify(() => session.read(readCoils(this.#unit.id, 0, 1)), NO_BOARD);
  }

  async #start(session: ModbusSession): Promise<void> {
    const generation = this.#unit.generation;
    const warnings: string[] = [];
    await this.#probe(session);
    this.#modeFault = await this.#readModeFault(session, warnings);
    this.#warnings = warnings;
    this.#startedGeneration = generation;
  }

  async #readModeFault(session: ModbusSession, warnings: string[]): Promise<string | undefined> {
    try {
      const { id } = this.#unit;
      const modes = modesOf((await this.#unit.read(session, readModes(id), readInputs(id))).data);
      const unexpected = modes.flatMap((mode, coil) =>
        mode === 0 ? [] : [`output ${coil}: ${modeName(mode)}`],
      );
      if (unexpected.length === 0) return undefined;
      return `outputs are not in normal mode (${unexpected.join('; ')}); set registers 1000-1007 of the board to 0`;
    } catch (error) {
      if (!(error instanceof DeviceError) || error.exception !== 2) throw error;
      warnings.push(
        'the board has no output mode registers (exception 2 at 1000-1007); modes are not checked',
      );
      return undefined;
    }
  }
}

const stateName = (on: boolean) => (on ? 'on' : 'off');
const modeName = (mode: number) => `${mode} (${OUTPUT_MODES[mode] ?? 'unknown'})`;
