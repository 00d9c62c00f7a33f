import type { Percent } from '../../lib/quantity.ts';
import { DeviceError } from '../device-error.ts';
import type { Exchange } from '../exchange.ts';
import { isWorthRepeating, type ModbusMaster, type ModbusSession } from '../modbus-rtu/master.ts';
import { type ModbusRequest, unpackWords } from '../modbus-rtu/request.ts';
import { ModbusUnit } from '../modbus-rtu/unit.ts';
import * as protocol from './protocol.ts';

export type { Exchange } from '../exchange.ts';

const DEVICE = 'pump-motor';
const NOT_THE_PUMP = 'this is not the pump; check that the address is the port of the pump, and the unit id';

/** As read back from the driver, never as commanded. */
export interface PumpState {
  /** 0..100; the nearest that eight bits of duty can carry to what was asked. */
  powerPercent: Percent;
  /** 0..255 */
  duty: number;
  enabled: boolean;
  prescaler: number;
  frequencyHz: number;
  /** When the reading had come in, the first of several equal ones: wall clock, milliseconds since the Unix epoch. */
  observedAt: number;
}

export interface Dri0050Options {
  /** Default 0x32. */
  unit?: number;
  /** 0..255, PWM frequency 46875 / (n + 1) Hz. Default 45 (1019 Hz). */
  prescaler?: number;
}

/** The pump motor behind a DRI0050. Nothing is written before the device has shown its PID and VID. */
export class Dri0050 {
  readonly #unit: ModbusUnit;
  readonly #prescaler: number;
  #identifiedGeneration = -1;
  #startedGeneration = -1;
  #version: string | null = null;

  constructor(line: ModbusMaster, options: Dri0050Options = {}) {
    this.#unit = new ModbusUnit(line, DEVICE, options.unit ?? protocol.DEFAULT_UNIT);
    this.#prescaler = options.prescaler ?? 45;
    if (!Number.isInteger(this.#prescaler) || this.#prescaler < 0 || this.#prescaler > 255) {
      throw this.#unit.fail('value_out_of_range', `prescaler ${this.#prescaler} is not 0 to 255`);
    }
  }

  /** Register 5 as it stands, for example `0x0100`. Null before `start`, and when the device does not report. */
  get version(): string | null {
    return this.#version;
  }

  /**
   * Identifies the device, stops the pump and sets the prescaler; then asks for the version, which fails nothing.
   * All but the version is repeated by itself after the port was opened anew.
   */
  start(signal?: AbortSignal): Promise<void> {
    const work = async (session: ModbusSession) => {
      await this.#start(session);
      await this.#readVersion(session);
    };
    return this.#unit.run(work, signal ? { signal } : {});
  }

  /**
   * @param percent 0..100; 0 is the same as `stop`
   * @throws DeviceError `value_out_of_range`, `wrong_device`, `pump_unverified`, and those of `ModbusMaster.run`; after
   *   all but the first two the pump may be running
   */
  async setPower(percent: Percent, options: Exchange = {}): Promise<PumpState> {
    if (!Number.isFinite(percent) || percent < 0 || percent > 100) {
      throw this.#unit.fail('value_out_of_range', `power ${percent} % is not a number from 0 to 100`);
    }
    const duty = protocol.dutyOf(percent);
    if (duty === 0) return this.stop(options);
    const work = async (session: ModbusSession) => {
      if (this.#startedGeneration !== this.#unit.generation) await this.#start(session);
      await this.#write(session, protocol.writeRegister(this.#unit.id, 'duty', duty));
      await this.#write(session, protocol.writeRegister(this.#unit.id, 'enable', 1));
      return this.#verified(session, { duty, enabled: true, prescaler: this.#prescaler });
    };
    return this.#unit.run(work, { ...options, actuates: true });
  }

  /**
   * Duty 0, disable, compare. The second is sent even when the first failed. Behind a lost reply both are on the line at
   * once, where the device has shown before that it is the pump, and count when they were read back after the quiet time.
   */
  stop(options: Exchange = {}): Promise<PumpState> {
    return this.#unit.run(async (session) => {
      if (this.#identifiedGeneration >= 0) {
        const { id } = this.#unit;
        const { writeRegister } = protocol;
        await session.sendAhead(writeRegister(id, 'duty', 0), writeRegister(id, 'enable', 0));
      }
      await this.#identify(session);
      return this.#stop(session);
    }, options);
  }

  readState(options: Exchange = {}): Promise<PumpState> {
    return this.#unit.run(async (session) => {
      await this.#identify(session);
      return this.#readState(session);
    }, options);
  }

  async #start(session: ModbusSession): Promise<void> {
    const generation = this.#unit.generation;
    await this.#identify(session);
    await this.#stop(session);
    await this.#write(session, protocol.writeRegister(this.#unit.id, 'prescaler', this.#prescaler));
    await this.#verified(session, { duty: 0, enabled: false, prescaler: this.#prescaler });
    this.#startedGeneration = generation;
  }

  async #readVersion(session: ModbusSession): Promise<void> {
    const { id } = this.#unit;
    const wanted = protocol.readRegister(id, 'version');
    this.#version = null;
    try {
      const [version] = unpackWords((await this.#unit.read(session, wanted, protocol.readState(id))).data);
      if (version !== undefined) this.#version = `0x${hex(version)}`;
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
    }
  }

  async #identify(session: ModbusSession): Promise<void> {
    const generation = this.#unit.generation;
    if (this.#identifiedGeneration === generation) return;
    let { pid, vid } = await this.#readIdentity(session);
    if (vid === protocol.PID) {
      // The answer to the second question is that to the first: one that was owed to another process came before.
      session.markAbandoned(protocol.readRegister(this.#unit.id, 'vid'));
      ({ pid, vid } = await this.#readIdentity(session));
    }
    if (pid !== protocol.PID || vid !== protocol.VID) {
      const message = `PID ${hex(pid)} and VID ${hex(vid)} are not C032 and 3343: ${NOT_THE_PUMP}`;
      throw this.#unit.fail('wrong_device', message);
    }
    this.#identifiedGeneration = generation;
  }

  async #readIdentity(session: ModbusSession): Promise<{ pid: number | undefined; vid: number | undefined }> {
    const { id } = this.#unit;
    return this.#unit.identify(async () => {
      const [pid] = unpackWords(await session.read(protocol.readRegister(id, 'pid')));
      const [vid] = unpackWords(await session.read(protocol.readRegister(id, 'vid')));
      return { pid, vid };
    }, NOT_THE_PUMP);
  }

  async #stop(session: ModbusSession): Promise<PumpState> {
    let fault: unknown;
    try {
      await this.#write(session, protocol.writeRegister(this.#unit.id, 'duty', 0));
    } catch (error) {
      if (session.signal.aborted) throw error;
      fault = error;
    }
    await this.#write(session, protocol.writeRegister(this.#unit.id, 'enable', 0));
    const state = await this.#verified(session, { duty: 0, enabled: false });
    if (fault !== undefined) throw fault;
    return state;
  }

  /** A write that is worth repeating (`isWorthRepeating`) is repeated once, after the state was read. */
  async #write(session: ModbusSession, request: ModbusRequest): Promise<void> {
    try {
      await session.write(request);
    } catch (error) {
      if (!isWorthRepeating(error) || session.signal.aborted) throw error;
      await this.#readState(session);
      await session.write(request);
    }
  }

  async #verified(session: ModbusSession, wanted: Partial<PumpState>): Promise<PumpState> {
    const seen = await this.#readState(session);
    const unexpected = (['duty', 'enabled', 'prescaler'] as const).filter(
      (key) => wanted[key] !== undefined && wanted[key] !== seen[key],
    );
    if (unexpected.length === 0) return seen;
    const differences = unexpected
      .map((key) => `${key} reads ${seen[key]} where ${wanted[key]} was set`)
      .join(', ');
    throw this.#unit.fail('pump_unverified', differences, { sent: true });
  }

  async #readState(session: ModbusSession): Promise<PumpState> {
    const { id } = this.#unit;
    const syncRequest = protocol.readRegister(id, 'version');
    const { data, observedAt } = await this.#unit.read(session, protocol.readState(id), syncRequest);
    const [duty, prescaler, enable] = unpackWords(data);
    const isSane = duty !== undefined && duty <= 255 && prescaler !== undefined && prescaler <= 255;
    if (!isSane || (enable !== 0 && enable !== 1)) {
      const message = `registers 6 to 8 read ${duty}, ${prescaler}, ${enable}, which the device cannot mean`;
      throw this.#unit.fail('corrupt_response', message, { reason: 'range' });
    }
    return {
      powerPercent: protocol.percentOf(duty),
      duty,
      enabled: enable === 1,
      prescaler,
      frequencyHz: protocol.frequencyOf(prescaler),
      observedAt,
    };
  }
}

const hex = (value: number | undefined) => (value ?? 0).toString(16).padStart(4, '0').toUpperCase();
