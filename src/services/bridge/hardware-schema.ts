import * as z from 'zod';
import { FIXED_NAMES } from '../../rig/device-kinds/index.ts';
import { lockHolderSchema } from '../../rig/service/answer-members.ts';
import { operatorStopState } from './answers.ts';

const mode = z.enum(['mock', 'real']);
const text = z.string().nullable();
const chip = { address: z.string(), name: z.string() };

/** Status of a component as one word, or `error: <why>`. */
const word = z.string();

const component = z.object({
  status: z.enum(['ok', 'error', 'timeout', 'held', 'disabled', 'config_error', 'incompatible', 'mock']),
  compatible: z.boolean(),
  code: text,
  message: z.string(),
  endpoint: text,
  latency_ms: z.int(),
  bench: z.boolean(),
  holder: lockHolderSchema.nullable().optional(),
  version: z.string().optional(),
  /** As the ADC service describes the devices behind it. */
  components: z.record(z.string(), z.unknown()).optional(),
  chip: z.object({ ...chip, bus: z.int() }).optional(),
});

const pluginName = (plugins: readonly string[]) => z.enum([...new Set([...FIXED_NAMES, ...plugins])]);

/** @param addedKeys of `compat.health_keys` @param plugins of `svc.yaml` */
export const hardwareHealthSchema = (addedKeys: readonly string[], plugins: readonly string[]) =>
  z.object({
    ...(Object.fromEntries(addedKeys.map((key) => [key, word])) as Record<never, never>),
    mode,
    ok: z.boolean(),
    /** What of the last safe state is not proven; null when all of it is. */
    not_safe: text,
    operator_stop: operatorStopState,
    sensor_adc: word,
    motor: word,
    lung: word,
    modbus: word,
    components: z.partialRecord(pluginName(plugins), component),
    power: z.object({
      source: text,
      undervoltage_now: z.boolean(),
      undervoltage_since_boot: z.boolean(),
    }),
    simulated: z.boolean(),
    bench: z.boolean(),
  });

const adapterOf = (plugins: readonly string[]) =>
  z.object({
    id: pluginName(plugins),
    name: z.string(),
    protocol: z.string(),
    description: z.string(),
    version: text,
    status: z.enum(['ok', 'adapter-only', 'no-access', 'offline', 'mock']),
    bench: z.boolean(),
    probe: z.object({
      connected: z.boolean(),
      source: z.enum(['scan', 'plugin-health']),
      message: z.string(),
    }),
  });

const usbDevice = z.object({
  device: z.string(),
  vid: z.string(),
  pid: z.string(),
  manufacturer: text,
  product: text,
  serial: text,
});

const serialPort = z.object({
  device: z.string(),
  by_id: text,
  by_path: text,
  shared_by_id: text,
  vid: text,
  pid: text,
  chip: text,
  kind: z.enum(['serial', 'uart', 'usb-adc']),
});

export const identifySchema = <H extends z.ZodType>(health: H, plugins: readonly string[]) =>
  z.object({
    mode,
    detected: z.int(),
    total: z.int(),
    adapters: z.array(adapterOf(plugins)),
    diagnostics: z.object({
      scan_mode: z.enum(['auto', 'always', 'never']),
      scan_performed: z.boolean(),
      scan_skip_reason: text,
      health,
      usb_devices: z.array(usbDevice),
      serial_ports: z.array(serialPort),
      i2c_buses: z.array(z.object({ bus: z.int(), path: z.string(), chips: z.array(z.object(chip)) })),
    }),
    simulated: z.boolean(),
    bench: z.boolean(),
  });
