import { decodeSettings, PIN_FUNCTION, SETTING, SETTINGS_BYTES, type TicSettings } from './settings.ts';
import { CURRENT_UNIT_MA, VARIABLE, VARIABLES_BYTES } from './variables.ts';

/** Room for every setting offset that a request can name. */
const MEMORY_BYTES = 128;
const PULL_UP = 0x80;
const PIN = { tx: 2, rx: 3, rc: 4 } as const;

/** The twin's non-volatile settings: defaults of the table, with the rig's switches on TX, RX and RC. */
export function factorySettings(): Uint8Array {
  const memory = new Uint8Array(MEMORY_BYTES);
  const view = new DataView(memory.buffer);
  view.setUint8(SETTING.autoClearDriverError, 1);
  view.setUint16(SETTING.commandTimeoutMs, 1000, true);
  view.setUint16(SETTING.lowVinTimeoutMs, 250, true);
  view.setUint16(SETTING.lowVinShutoffMv, 5500, true);
  view.setUint16(SETTING.lowVinStartupMv, 5800, true);
  view.setUint16(SETTING.highVinShutoffMv, 40_000, true);
  view.setUint8(SETTING.pins + PIN.tx, PULL_UP | PIN_FUNCTION.forwardLimit);
  view.setUint8(SETTING.pins + PIN.rx, PULL_UP | PIN_FUNCTION.reverseLimit);
  view.setUint8(SETTING.pins + PIN.rc, PULL_UP | PIN_FUNCTION.killSwitch);
  view.setUint8(SETTING.currentCode, 5);
  view.setUint32(SETTING.maxSpeed, 2_000_000, true);
  view.setUint32(SETTING.maxAcceleration, 40_000, true);
  view.setUint8(SETTING.softErrorResponse, 2);
  view.setUint8(SETTING.killSwitchMap, 1 << PIN.rc);
  view.setUint8(SETTING.forwardLimitMap, 1 << PIN.tx);
  view.setUint8(SETTING.reverseLimitMap, 1 << PIN.rx);
  view.setUint32(SETTING.homingSpeedTowards, 1_000_000, true);
  view.setUint32(SETTING.homingSpeedAway, 500_000, true);
  return memory;
}

/** Numbers that commands change and a restart takes back from the settings; units of the device. */
export interface Tuning {
  startingSpeed: number;
  maxSpeed: number;
  maxAcceleration: number;
  maxDeceleration: number;
  stepMode: number;
  currentCode: number;
  decayMode: number;
}

export function tuningOf(settings: TicSettings): Tuning {
  const { startingSpeed, maxSpeed, maxAcceleration, maxDeceleration, stepMode, currentLimitMa } = settings;
  return {
    startingSpeed,
    maxSpeed,
    maxAcceleration,
    maxDeceleration: maxDeceleration === 0 ? maxAcceleration : maxDeceleration,
    stepMode,
    currentCode: currentLimitMa / CURRENT_UNIT_MA,
    decayMode: 0,
  };
}

/** The settings as bytes; two of them are knobs. */
export class SettingMemory {
  readonly #knobs: () => { safe_start: boolean; command_timeout_ms: number };
  #bytes = factorySettings();
  #settings = decode(this.#bytes);

  constructor(knobs: () => { safe_start: boolean; command_timeout_ms: number }) {
    this.#knobs = knobs;
  }

  get bytes(): Uint8Array {
    const { safe_start, command_timeout_ms } = this.#knobs();
    const bytes = this.#bytes.slice();
    const view = new DataView(bytes.buffer);
    view.setUint8(SETTING.safeStartDisabled, safe_start ? 0 : 1);
    view.setUint16(SETTING.commandTimeoutMs, command_timeout_ms, true);
    return bytes;
  }

  get settings(): TicSettings {
    return this.#settings;
  }

  /** What cannot be a setting is not taken. */
  write(offset: number, value: number): void {
    const bytes = this.#bytes.slice();
    bytes[offset & 0x7f] = value & 0xff;
    try {
      this.#settings = decode(bytes);
      this.#bytes = bytes;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }

  reset(): void {
    this.#bytes = factorySettings();
    this.#settings = decode(this.#bytes);
  }
}

const decode = (bytes: Uint8Array) => decodeSettings(bytes.slice(0, SETTINGS_BYTES));

type Variable = Exclude<keyof typeof VARIABLE, 'actingTarget'>;

const WIDTH: Readonly<Record<Variable, 1 | 2 | 4>> = {
  state: 1,
  flags: 1,
  errorStatus: 2,
  errorsOccurred: 4,
  planningMode: 1,
  targetPosition: 4,
  targetVelocity: 4,
  startingSpeed: 4,
  maxSpeed: 4,
  maxDeceleration: 4,
  maxAcceleration: 4,
  position: 4,
  velocity: 4,
  timeSinceLastStep: 4,
  resetCause: 1,
  vinMv: 2,
  upTimeMs: 4,
  stepMode: 1,
  currentCode: 1,
  decayMode: 1,
  inputState: 1,
  inputAfterScaling: 4,
  lastDriverError: 1,
};

/** The block of variables; what is not given is 0. */
export function variableBlock(values: Partial<Record<Variable, number>>): Uint8Array {
  const block = new Uint8Array(VARIABLES_BYTES);
  const view = new DataView(block.buffer);
  for (const [name, value] of Object.entries(values) as [Variable, number][]) {
    if (WIDTH[name] === 1) view.setUint8(VARIABLE[name], value);
    else if (WIDTH[name] === 2) view.setUint16(VARIABLE[name], value, true);
    else view.setUint32(VARIABLE[name], value >>> 0, true);
  }
  return block;
}
