import type { DeviceErrorDetails } from '../device-error.ts';
import type { Ask } from './configuration.ts';
import {
  decodeFetch,
  decodeTransferStart,
  fetchI2c,
  I2C_STATE,
  readI2c,
  STUCK_STATES,
} from './protocol/i2c.ts';
import { COMMAND } from './protocol/request.ts';
import { cancelTransfer, decodeStatus, type Status, setI2cSpeed, status } from './protocol/status.ts';

export const SCAN_SPEED_HZ = 100_000;
const FIRST_ADDRESS = 0x08;
const LAST_ADDRESS = 0x77;
/** One byte takes 0.2 ms at 100 kHz; a device that holds the clock longer than this many polls is not waited for. */
const POLLS = 20;

const SPEED_ACCEPTED = 0x20;

export interface I2cScanResult {
  speedHz: number;
  /** 7-bit addresses that acknowledged, in order. */
  addresses: number[];
  /** Wall clock, milliseconds since the Unix epoch, at the end. */
  observedAt: number;
}

type Fail = (
  code: 'i2c_bus_stuck' | 'device_error' | 'device_timeout',
  message: string,
  details?: DeviceErrorDetails,
) => Error;

/**
 * Looks for I2C devices by reading one byte of each address. A read of one byte is harmless to
 * most devices; a read of nothing would hang the engine.
 *
 * @param ask one request and its answer
 * @param fail makes the error: `i2c_bus_stuck`, `device_error`, `device_timeout`
 * @returns the addresses that acknowledged
 */
export async function scanI2c(ask: Ask, fail: Fail): Promise<number[]> {
  const before = await checkBus(ask, fail);
  if (before.engineState !== I2C_STATE.idle) await release(ask, fail, before);
  const { speed } = decodeStatus(await ask(setI2cSpeed(SCAN_SPEED_HZ)));
  if (speed !== SPEED_ACCEPTED)
    throw fail('device_error', 'the I2C engine did not take the speed; plug the chip out and in', {
      reason: 'i2c_speed',
    });
  const found: number[] = [];
  for (let address = FIRST_ADDRESS; address <= LAST_ADDRESS; address++)
    if (await isPresent(ask, fail, address)) found.push(address);
  return found;
}

async function isPresent(ask: Ask, fail: Fail, address: number): Promise<boolean> {
  const start = decodeTransferStart(await ask(readI2c(address, 1)), COMMAND.readI2c);
  if (!start.accepted) throw stuckOrBusy(fail, start.state);
  for (let poll = 0; poll < POLLS; poll++) {
    const fetched = decodeFetch(await ask(fetchI2c()));
    // The byte itself says nothing; fetching it is what frees the engine.
    if (fetched.kind === 'data' && fetched.state === I2C_STATE.dataComplete && fetched.data.length === 1)
      return true;
    const now = decodeStatus(await ask(status()));
    if (fetched.state === I2C_STATE.addressNacked || now.addressNotAcknowledged) {
      await release(ask, fail, now);
      return false;
    }
    if (STUCK_STATES.has(now.engineState)) {
      await release(ask, fail, now);
      throw stuckOrBusy(fail, now.engineState);
    }
  }
  await release(ask, fail, decodeStatus(await ask(status())));
  const message = `address 0x${address.toString(16)} neither gave its byte nor refused it; another device holds the bus`;
  throw fail('device_timeout', message, { reason: 'i2c_no_end' });
}

/** @throws what `fail` makes when a line is held low */
async function checkBus(ask: Ask, fail: Fail): Promise<Status> {
  const now = decodeStatus(await ask(status()));
  const low = [now.sclHigh ? [] : ['SCL'], now.sdaHigh ? [] : ['SDA']].flat();
  if (low.length === 0) return now;
  const message = `${low.join(' and ')} held low: a pull-up is missing, or a device holds the bus`;
  throw fail('i2c_bus_stuck', message);
}

/** Ends the transfer at hand, if there is one. An engine that was never used must not be told to (DEV-011). */
async function release(ask: Ask, fail: Fail, now: Status): Promise<void> {
  if (now.engineState === I2C_STATE.idle) return;
  if (!now.engineUsed) throw stuckOrBusy(fail, now.engineState);
  decodeStatus(await ask(cancelTransfer()));
}

function stuckOrBusy(fail: Fail, state: number): Error {
  const hex = state.toString(16).padStart(2, '0').toUpperCase();
  if (STUCK_STATES.has(state))
    return fail('i2c_bus_stuck', `the I2C engine gave up in state ${hex}; check the wiring of SCL and SDA`);
  return fail('device_error', `the I2C engine is busy in state ${hex}; plug the chip out and in`, {
    reason: 'i2c_busy',
  });
}
