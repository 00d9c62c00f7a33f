import * as z from 'zod';
import { PLUGIN_IDS } from './types.ts';

const isoDate = z.string().regex(/^\d{4}-\d{2}-\d{2}/, 'must be an ISO date such as 2025-01-15');

const calibrationIdentity = {
  id: z.string().min(1, 'must name the calibration'),
  unit: z.string().min(1, 'must be the unit that comes out'),
  calibrated_at: isoDate.optional(),
  due_at: isoDate.optional(),
  source: z.string().optional(),
};

const calibration = z.discriminatedUnion('kind', [
  z.strictObject({
    ...calibrationIdentity,
    kind: z.literal('linear'),
    scale: z.number(),
    offset: z.number(),
  }),
  z.strictObject({
    ...calibrationIdentity,
    kind: z.literal('table'),
    points: z
      .array(z.tuple([z.number(), z.number()]))
      .min(2, 'must have at least two points')
      .refine(
        (points) => points.every(([raw], i) => i === 0 || raw > points[i - 1]![0]),
        'must ascend in the raw value',
      ),
  }),
]);

/** Values are judged per connection type; unknown keys are errors at once. */
const plugin = z.strictObject({
  enabled: z.boolean('must be true or false').default(true),
  connection_type: z.unknown().optional(),
  connection_params: z
    .strictObject({
      serial_port: z.unknown().optional(),
      baudrate: z.unknown().optional(),
      parity: z.unknown().optional(),
      device_id: z.unknown().optional(),
      base_url: z.unknown().optional(),
      host: z.unknown().optional(),
      port: z.unknown().optional(),
      bus: z.unknown().optional(),
      address: z.unknown().optional(),
      serial: z.unknown().optional(),
    })
    .default({}),
  timeout: z
    .number('must be seconds')
    .positive('must be above 0 s')
    .max(2.5, 'must be at most 2.5 s')
    .default(2.0),
  retry_count: z.int('must be a whole number').min(0).max(5, 'must be at most 5').default(1),
});

export type PluginFile = z.output<typeof plugin>;

const plugins = z.strictObject(
  Object.fromEntries(PLUGIN_IDS.map((id) => [id, plugin.optional()])) as Record<
    (typeof PLUGIN_IDS)[number],
    z.ZodOptional<typeof plugin>
  >,
);

/** Shape of `svc.yaml` (services specification, section 13). */
export const fileSchema = z.strictObject({
  schema_version: z.literal(1, 'must be 1').default(1),
  require_real: z.boolean('must be true or false').default(false),
  plugins: plugins.optional(),
  adc_map: z
    .strictObject({
      device: z.string(),
      transport: z.literal('http', 'must be http: these channels are never mapped to Modbus registers'),
      base_url: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }),
      channels: z.partialRecord(
        z.enum(['ai01', 'ai02', 'ai03'], 'must be ai01, ai02 or ai03'),
        z.strictObject({
          endpoint: z.string().startsWith('/'),
          pin: z.string(),
          unit: z.literal('V', 'must be V'),
        }),
      ),
    })
    .optional(),
  aliases: z.record(z.string(), z.string('must be the id that the alias stands for')).default({}),
  compat: z
    .strictObject({ health_keys: z.record(z.string(), z.string()).default({}) })
    .default({ health_keys: {} }),
  sensors: z.record(z.string(), z.strictObject({ calibration: calibration.optional() })).default({}),
  peripherals: z
    .record(
      z.string(),
      z.strictObject({
        name: z.string().optional(),
        type: z.string().optional(),
        unit: z.string().optional(),
      }),
    )
    .default({}),
  pump: z
    .strictObject({
      full_scale_lpm: z.number('must be l/min at 100 %').positive('must be above 0 l/min').optional(),
    })
    .default({}),
});

export type FileConfig = z.output<typeof fileSchema>;
