import * as z from 'zod';
import type { DeviceKind } from '../device-kinds/device-kind.ts';
import { DEVICE_KINDS, FIXED_NAMES, type FixedName, kindNamed, kindOf } from '../device-kinds/index.ts';
import { nearNames } from '../interlocks/near-names.ts';

/** Values are judged per connection type; unknown keys are errors at once. */
const plugin = z
  .strictObject({
    kind: z
      .string('must be the word of a device kind')
      .optional()
      .describe('Kind of the device. The names of the product need none.'),
    enabled: z
      .boolean('must be true or false')
      .default(true)
      .describe('false keeps the device visible and leaves it alone.'),
    connection_type: z.unknown().optional().describe('How the device is reached.'),
    connection_params: z
      .strictObject({
        serial_port: z.unknown().optional().describe('modbus-rtu: path of the serial port.'),
        baudrate: z.unknown().optional().describe('modbus-rtu: baud.'),
        parity: z.unknown().optional().describe('modbus-rtu: N, E or O.'),
        device_id: z.unknown().optional().describe('modbus-rtu, modbus-tcp: number of the slave.'),
        line: z
          .unknown()
          .optional()
          .describe('modbus-rtu: name of the line below lines, in place of the port.'),
        unit_id: z.unknown().optional().describe('modbus-rtu on a line: number of the slave.'),
        base_url: z.unknown().optional().describe('http: address of the service.'),
        host: z.unknown().optional().describe('modbus-tcp: name or address of the gateway.'),
        port: z.unknown().optional().describe('modbus-tcp: TCP port.'),
        bus: z.unknown().optional().describe('i2c: number or path of the bus.'),
        address: z.unknown().optional().describe('i2c: 7-bit address of the chip.'),
        serial: z.unknown().optional().describe('usb: serial number of the device.'),
      })
      .default({})
      .describe('Where the device is; which keys count depends on connection_type.'),
    timeout: z
      .number('must be seconds')
      .positive('must be above 0 s')
      .max(2.5, 'must be at most 2.5 s')
      .default(2.0)
      .describe('Longest wait for an answer, s, above 0 up to 2.5.'),
    retry_count: z
      .int('must be a whole number')
      .min(0, 'must be 0..5')
      .max(5, 'must be at most 5')
      .default(1)
      .describe('Repetitions of a failed read, 0..5. A write is never repeated.'),
    range: z
      .tuple([z.number(), z.number()], 'must be a pair [lowest, highest] in the unit of the sensor')
      .refine(([low, high]) => low < high, 'must ascend: [lowest, highest]')
      .optional()
      .describe(
        'What this one sensor measures, in its own unit: [lowest, highest]. Default: that of its kind.',
      ),
  })
  .describe('One device of the rig.');

export type PluginFile = z.output<typeof plugin>;

/** Devices by names of their own. */
const NAME = /^[a-z][a-z0-9-]*$/;

/** The names of the product imply their kind; a sensor has any name, and says its kind. */
export const pluginsSchema = z
  .object(
    Object.fromEntries(FIXED_NAMES.map((id) => [id, plugin.optional()])) as Record<
      FixedName,
      z.ZodOptional<typeof plugin>
    >,
  )
  .catchall(plugin)
  .superRefine((plugins, context) => {
    for (const [name, entry] of Object.entries(plugins)) {
      const message = entry && (kindFault(name, entry.kind) ?? rangeFault(name, entry));
      if (message) context.addIssue({ code: 'custom', path: [name, ...message.path], message: message.text });
    }
  })
  .optional()
  .describe(
    'The devices of the rig. Without this key the four of the product are there, with their defaults.',
  );

/** Why a plugin has no kind, and what to write instead; undefined where it has one. */
function kindFault(name: string, word: string | undefined): { path: string[]; text: string } | undefined {
  const fixed = kindOf(name, undefined);
  if (fixed) {
    if (word === undefined || word === fixed.kind) return undefined;
    return { path: ['kind'], text: `${name} is always a ${fixed.kind}; leave kind out, or use another name` };
  }
  if (!NAME.test(name))
    return { path: [], text: 'must have a name of small letters, digits and -, beginning with a letter' };
  if (Object.hasOwn(Object.prototype, name))
    return { path: [], text: 'is a reserved word and cannot be a name; give this device another name' };
  const free = DEVICE_KINDS.filter(({ role }) => role === 'sensor').map(({ kind }) => kind);
  if (word === undefined) {
    const [near] = nearNames(name, FIXED_NAMES);
    const known = `${FIXED_NAMES.join(', ')} need none`;
    const remedy = near ? `did you mean plugins.${near}?` : freeText(free);
    return { path: ['kind'], text: `${known}; ${remedy}` };
  }
  const kind = kindNamed(word);
  if (kind && kind.role !== 'sensor')
    return { path: ['kind'], text: `a ${word} is always named ${kind.names.join(' or ')}; use that name` };
  if (kind) return undefined;
  const [near] = nearNames(word, free);
  return { path: ['kind'], text: `unknown kind; ${near ? `did you mean ${near}?` : freeText(free)}` };
}

/** Only a sensor in a unit of its own has a range here: that of a voltage input stands below `sensors`. */
function rangeFault(
  name: string,
  { kind: word, range }: PluginFile,
): { path: string[]; text: string } | undefined {
  if (!range) return undefined;
  const fault = (text: string) => ({ path: ['range'], text });
  const kind = kindOf(name, word);
  if (kind?.role !== 'sensor')
    return fault('is for sensors that measure in a unit of their own; take it out');
  const { unit, range: widest } = kind.quantity;
  if (range[0] >= widest[0] && range[1] <= widest[1]) return undefined;
  return fault(`must lie within ${widest.join(' .. ')} ${unit}, which is what any ${word} can measure`);
}

const freeText = (free: readonly DeviceKind['kind'][]): string =>
  free.length === 0
    ? 'this version has no kind for other names'
    : `kinds for other names are ${free.join(', ')}`;
