import * as z from 'zod';
import { DeviceError } from '../../devices/device-error.ts';
import { bounded } from '../../lib/clock/bounded.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { KnownHealth } from '../service/known-health.ts';
import { BANK, type BankSource } from './bank-source.ts';
import { HID_ADC, type HidAdc } from './hid-adc.ts';
import type { Meters } from './meters.ts';
import type { JobLimits } from './turns.ts';
import { UART_ADC, type UartAdc } from './uart-adc.ts';

/** A probe ends after this whatever it does; the driver's own limit comes first, for its better message. */
const PROBE_CAP_MS = 2500;
const DRIVER_LIMIT_MS = 2400;

/** Reasons of `device_unavailable` that mean: nothing is plugged in there. */
const GONE = new Set(['port_absent', 'port_gone', 'write_failed']);

export const componentSchema = z.object({
  ok: z.boolean(),
  status: z.enum(['connected', 'unavailable', 'not_found', 'timeout', 'error', 'not_used']),
  message: z.string(),
  transport: z.enum(['hid', 'uart', 'http']),
  endpoint: z.string(),
  bench: z.boolean(),
});
export type ComponentHealth = z.output<typeof componentSchema>;

export interface Probe<A extends Answered> {
  device: string;
  transport: ComponentHealth['transport'];
  endpoint: () => string;
  isBench: () => boolean;
  ask: (limits: JobLimits) => Promise<A>;
}

/** What a device says when it is asked. */
export interface Answered {
  ok: boolean;
  /** For people. */
  message: string;
}

export interface Probed<A> {
  health: ComponentHealth;
  /** Undefined when the device failed. */
  answer: A | undefined;
}

/** What is known of a device, for `/health`; a probe that goes on for too long names it as silent. */
export function knownHealth<A extends Answered>(
  { clock, meters }: { clock: Clock; meters: Meters },
  probe: Probe<A>,
): KnownHealth<Probed<A>> {
  return new KnownHealth<Probed<A>>({
    clock,
    probe: (signal) => probed({ clock, meters, signal }, probe),
    silent: (ms) => ({
      answer: undefined,
      health: { ok: false, status: 'timeout', message: `no answer for ${ms} ms`, ...placeOf(probe) },
    }),
  });
}

const placeOf = ({ transport, endpoint, isBench }: Probe<Answered>) => ({
  transport,
  endpoint: endpoint(),
  bench: isBench(),
});

/** What a probe shows; any exception becomes an entry (SVC-011). */
export async function probed<A extends Answered>(
  { clock, meters, signal }: { clock: Clock; meters: Meters; signal: AbortSignal },
  probe: Probe<A>,
): Promise<Probed<A>> {
  try {
    const answer = await capped(clock, signal, probe);
    meters.answered(probe.device);
    const { ok, message } = answer;
    return { answer, health: { ok, status: ok ? 'connected' : 'error', message, ...placeOf(probe) } };
  } catch (thrown) {
    meters.failed(probe.device, thrown);
    const message = messageOf(thrown);
    return { answer: undefined, health: { ok: false, status: statusOf(thrown), message, ...placeOf(probe) } };
  }
}

function capped<A extends Answered>(
  clock: Clock,
  signal: AbortSignal,
  { device, endpoint, ask }: Probe<A>,
): Promise<A> {
  const late = () => {
    const message = `${device} on ${endpoint()}: no answer within ${PROBE_CAP_MS / 1000} s`;
    return new DeviceError('device_timeout', message, { device, endpoint: endpoint() });
  };
  return bounded((cap) => ask({ signal: AbortSignal.any([signal, cap]), limitMs: DRIVER_LIMIT_MS }), {
    clock,
    limitMs: PROBE_CAP_MS,
    late,
  });
}

function statusOf(thrown: unknown): ComponentHealth['status'] {
  if (!(thrown instanceof DeviceError)) return 'error';
  switch (thrown.code) {
    case 'device_timeout':
      return 'timeout';
    case 'device_unavailable':
      return GONE.has(thrown.reason ?? '') ? 'not_found' : 'unavailable';
    case 'device_busy':
      return 'unavailable';
    case 'bank_unreachable':
      return thrown.reason === 'timeout' ? 'timeout' : 'unavailable';
    default:
      return 'error';
  }
}

interface HidAnswered extends Answered {
  /** Pins and reference were read back and are as set. */
  verified: boolean;
}

/** Step 6 of the open sequence. Behind the kernel's IIO driver the words are all that can be had. */
export function hidProbe(adc: HidAdc): Probe<HidAnswered> {
  return {
    device: HID_ADC,
    transport: 'hid',
    endpoint: () => adc.endpoint,
    isBench: () => adc.isBench,
    ask: async (limits) => {
      const { verified, faults } = await adc.verify(limits);
      const ok = verified || adc.backend === 'iio';
      return { ok, verified, message: verified ? '04D8:00DD answered' : faults.join('; ') };
    },
  };
}

/** AT, answered by OK. */
export function uartProbe(adc: UartAdc): Probe<Answered> {
  return {
    device: UART_ADC,
    transport: 'uart',
    endpoint: () => adc.endpoint,
    isBench: () => adc.isBench,
    ask: async (limits) => {
      await adc.probe(limits);
      const isProven = adc.selectionProof !== 'none';
      return { ok: true, message: isProven ? 'OK' : 'OK; readings cannot be proven to be of their input' };
    },
  };
}

/** One sample of each channel in use passes all checks. */
export function bankProbe(bank: BankSource): Probe<Answered> {
  return {
    device: BANK,
    transport: 'http',
    endpoint: () => bank.endpoint,
    isBench: () => bank.isBench,
    ask: async (limits) => ({ ok: true, message: `${await bank.probe(limits)} answered` }),
  };
}
