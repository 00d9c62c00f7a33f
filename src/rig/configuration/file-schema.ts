import * as z from 'zod';
import { HEALTH_KEYS } from '../device-kinds/index.ts';
import { calibrationSchema } from './calibration-schema.ts';
import { interlocksSchema } from './interlock-schema.ts';
import { limitsSchema } from './limits-schema.ts';
import { linesSchema } from './line-schema.ts';
import { pluginsSchema } from './plugins-schema.ts';

const adcMap = z
  .strictObject({
    device: z.string('must be text').describe('Name of the ADC service, for example usb-adc-usbhid.'),
    transport: z
      .literal('http', 'must be http: these channels are never mapped to Modbus registers')
      .describe('http, nothing else.'),
    base_url: z
      .url({ protocol: /^https?$/, error: 'must be an http(s) URL' })
      .describe('Address of the ADC service.'),
    channels: z
      .partialRecord(
        z.enum(['ai01', 'ai02', 'ai03'], 'must be ai01, ai02 or ai03'),
        z.strictObject({
          endpoint: z
            .string('must be text')
            .regex(/^\//, 'must begin with /')
            .describe('Path of the reading.'),
          pin: z.string('must be text').describe('Input of the device, for people.'),
          unit: z.literal('V', 'must be V').describe('V, nothing else.'),
        }),
      )
      .describe('Where each voltage comes from.'),
  })
  .optional()
  .describe('Takes voltages from an ADC service in place of the sensor ADC.');

const sensor = z.strictObject({
  resolution: z
    .number('must be a number')
    .gt(0, 'must be above 0')
    .max(1, 'must be at most 1')
    .optional()
    .describe('Smallest difference that the sensor can show, V. Values are shown with its digits.'),
  range_volts: z
    .tuple([z.number(), z.number()], 'must be a pair [lowest, highest] in volts')
    .refine(([low, high]) => low < high, 'must ascend: [lowest, highest]')
    .optional()
    .describe(
      'What the input can measure, volts: [lowest, highest]. Default: that of the converter, where it is known.',
    ),
  calibration: calibrationSchema.optional().describe('Turns the volts of this sensor into its unit.'),
});

const sensors = z
  .record(z.string(), sensor)
  .default({})
  .superRefine((entries, context) => {
    const owners = new Map<string, string>();
    for (const [name, { calibration }] of Object.entries(entries)) {
      if (calibration === undefined) continue;
      const owner = owners.get(calibration.id);
      if (owner !== undefined) {
        const message = `is the calibration of sensors.${owner} already; a reading names its calibration by this id`;
        context.addIssue({ code: 'custom', path: [name, 'calibration', 'id'], message });
      }
      owners.set(calibration.id, name);
    }
  })
  .describe('Sensors by id or alias, for example ai01.');

const peripheral = z.strictObject({
  name: z.string('must be text').optional().describe('Name for people.'),
  type: z.string('must be text').optional().describe('Kind, for people.'),
  unit: z.string('must be text').optional().describe('Unit of its value.'),
});

/** Inclusive, volts. */
const window = (low: number, high: number) =>
  z
    .tuple([z.number(), z.number()], 'must be a pair [lowest, highest] in volts')
    .refine(([least, most]) => least < most, 'must ascend: [lowest, highest]')
    .default([low, high])
    .describe(
      `Voltage at rest with its valve open or closed, V: [lowest, highest]; default [${low}, ${high}].`,
    );

const TEST_COIL = 'must be 0..7, a relay of the valve board with nothing wired to it; 0 is that of valve-1';
const KEEP_DAYS = 'must be 30..36500 days';
const RECORDS_SIZE = 'must be 10..10000000 MB';
const LOG_SIZE = 'must be 1..1000 MB';

const LED = 'must be the name of a folder in /sys/class/leds, for example svc-pulse';
const READ_BACK = 'must be a file below /sys, for example class/power_supply/svc-supply/online';
const HZ = 'must be 5..50 pulses a second';

const pulse = z.strictObject({
  led: z
    .string(LED)
    .regex(/^[A-Za-z0-9][A-Za-z0-9:_.-]{0,62}$/, LED)
    .describe('Output of the LED class that feeds the relay: a folder in /sys/class/leds.'),
  hz: z.number(HZ).min(5, HZ).max(50, HZ).default(10).describe('Pulses a second, 5..50.'),
  read_back: z
    .string(READ_BACK)
    .regex(/^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9:_./-]{0,200}$/, READ_BACK)
    .optional()
    .describe('File below /sys with the contact of the relay: 1 closed, 0 open. Default: it is not wired.'),
});

/** Shape of `svc.yaml`. docs/svc-yaml.md explains each key. */
export const fileSchema = z.strictObject({
  schema_version: z.literal(1, 'must be 1').default(1).describe('Version of this form; 1.'),
  require_real: z
    .boolean('must be true or false')
    .default(false)
    .describe('true: scenario runs refuse benches and simulations.'),
  lines: linesSchema,
  plugins: pluginsSchema,
  adc_map: adcMap,
  aliases: z
    .record(z.string(), z.string('must be the id that the alias stands for'))
    .default({})
    .describe('Further name -> id of the rig, for example valve-nc: valve-1.'),
  compat: z
    .strictObject({
      health_keys: z
        .record(
          z.string(),
          z.enum(HEALTH_KEYS, `must be ${HEALTH_KEYS.slice(0, -1).join(', ')} or ${HEALTH_KEYS.at(-1)}`),
        )
        .default({})
        .describe('Further key of the hardware health -> sensor_adc, motor, lung or modbus.'),
    })
    .default({ health_keys: {} })
    .describe('For existing scripts.'),
  sensors,
  calibration: z
    .strictObject({
      windows: z
        .strictObject({ ai01: window(0.6, 0.67), ai02: window(0.73, 0.78), ai03: window(0.86, 0.91) })
        .prefault({})
        .describe('Voltage windows of the function check.'),
    })
    .prefault({})
    .describe('For the function check of svc-diag --calibrate.'),
  peripherals: z
    .record(z.string(), peripheral)
    .default({})
    .describe('Peripherals without driver: values that the bridge only keeps.'),
  pump: z
    .strictObject({
      full_scale_lpm: z
        .number('must be l/min at 100 %')
        .positive('must be above 0 l/min')
        .optional()
        .describe('Flow at 100 % power, l/min, above 0; default 10.'),
    })
    .default({})
    .describe('What the pump is like.'),
  guard: z
    .strictObject({
      test_coil: z
        .int(TEST_COIL)
        .min(0, TEST_COIL)
        .max(7, TEST_COIL)
        .optional()
        .describe(
          'Relay of the valve board with nothing wired to it, 0..7: with it the guard measures its reaction on a real rig.',
        ),
      pulse: pulse.optional().describe('Pulses of svc-guard that keep a watchdog relay closed.'),
    })
    .default({})
    .describe('For svc-guard.'),
  logs: z
    .strictObject({
      max_mb: z
        .number(LOG_SIZE)
        .min(1, LOG_SIZE)
        .max(1000, LOG_SIZE)
        .default(20)
        .describe('Size of a log file of a service with the one before it, MB, 1..1000.'),
    })
    .prefault({})
    .describe('Log files of the services.'),
  records: z
    .strictObject({
      keep_days: z
        .int(KEEP_DAYS)
        .min(30, KEEP_DAYS)
        .max(36_500, KEEP_DAYS)
        .optional()
        .describe('Days that the record of a run is kept after its end, 30..36500; default: for ever.'),
      max_mb: z
        .int(RECORDS_SIZE)
        .min(10, RECORDS_SIZE)
        .max(10_000_000, RECORDS_SIZE)
        .optional()
        .describe(
          'Size of all records, MB, 10..10000000: beyond it the oldest go that are older than 30 days; default: no limit.',
        ),
    })
    .default({})
    .describe('How long svc-server keeps the records of runs.'),
  limits: limitsSchema,
  interlocks: interlocksSchema.default([]),
});

export type FileConfig = z.output<typeof fileSchema>;
