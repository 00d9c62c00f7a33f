import type { Clock } from '../../lib/clock/clock.ts';
import type { Random } from '../../lib/random/seeded-random.ts';
import type { TwinListener } from '../twin-event.ts';
import { lastingFault, type RtuKnobs } from './knobs.ts';
import { unpackWords, word } from './request.ts';
import { ModbusException, Responder } from './responder.ts';
import { RtuSlave } from './slave.ts';

export const ILLEGAL_FUNCTION = 1;
export const ILLEGAL_ADDRESS = 2;
export const ILLEGAL_VALUE = 3;

const READ_HOLDING_REGISTERS = 0x03;
const WRITE_SINGLE_REGISTER = 0x06;
/** Most registers of one request (Modbus application protocol 6.3). */
const MAX_REGISTERS = 125;

/** What the twin of a Modbus RTU device is made with. */
export interface RtuTwinOptions {
  clock: Clock;
  random: Random;
  /** Time to work on a request, milliseconds. Default 0. */
  turnaroundMs?: number;
  /** Time of the line, where whole frames are handed over and replies keep the times of the line. Default: they do not. */
  lineClock?: Clock | undefined;
  listener?: TwinListener;
  /** Called with every knob that was set. */
  knobsChanged?: (patch: Record<string, unknown>) => void;
}

/** The slave of a twin that is a set of holding registers: FC03 and, where they can be written, FC06. */
export function registerSlave(
  options: RtuTwinOptions & {
    /** Bits per second of the line. */
    baud: number;
    unit: () => number;
    knobs: () => RtuKnobs;
    /** Called once for a request, so that a value of several registers is of one moment. @throws ModbusException */
    registers: () => (address: number) => number;
    /** Default: function 06 is illegal. @throws ModbusException */
    write?: (address: number, value: number) => void;
  },
): RtuSlave {
  const { clock, random, listener = () => {}, lineClock, turnaroundMs, baud } = options;
  const handle = (functionCode: number, data: Uint8Array): number[] => {
    const { exception } = options.knobs();
    if (exception !== null) throw new ModbusException(exception);
    const [address = 0, value = 0] = unpackWords(data);
    if (functionCode === READ_HOLDING_REGISTERS) {
      if (value < 1 || value > MAX_REGISTERS) throw new ModbusException(ILLEGAL_VALUE);
      const register = options.registers();
      const values = Array.from({ length: value }, (_, index) => register(address + index));
      return [2 * value, ...values.flatMap(word)];
    }
    if (functionCode !== WRITE_SINGLE_REGISTER || !options.write) throw new ModbusException(ILLEGAL_FUNCTION);
    options.write(address, value);
    return [...data];
  };
  return new RtuSlave({
    clock,
    random,
    listener,
    responder: new Responder({ unit: options.unit, handle, lasting: () => lastingFault(options.knobs()) }),
    line: lineClock && { clock: lineClock, baud },
    settings: () => ({ baud, parity: 'none' }),
    ...(turnaroundMs === undefined ? {} : { turnaroundMs }),
  });
}
