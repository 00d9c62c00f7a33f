import * as z from 'zod';
import type { Clock } from '../../lib/clock/clock.ts';
import { CodedError } from '../../lib/errors/coded-error.ts';
import { HttpError, invalidField } from '../../lib/http/http-error.ts';
import { DEVICE_PROBLEMS } from '../../lib/http/problem-schema.ts';
import { problemKind } from '../../lib/http/problem-table.ts';
import { NDJSON_TYPE } from '../../lib/http/reply.ts';
import { type Route, route } from '../../lib/http/route.ts';
import type { DeviceNames } from '../hardware/names.ts';
import type { SensorPorts } from '../hardware/ports.ts';
import { streamEach } from './stream-each.ts';

const MAX_BATCH = 16;
const SENSOR_PROBLEMS = ['unknown_sensor', 'sensor_source_simulated'] as const;

/** @param units of all sensors */
const sensorAnswerOf = (units: readonly string[]) =>
  z.object({
    sensor_id: z.string(),
    value: z.number(),
    unit: z.literal(units),
    ok: z.literal(true),
    simulated: z.boolean(),
    bench: z.boolean(),
    adapter: z.string(),
    physical_input: z.string(),
    raw: z.number().nullable(),
    saturated: z.boolean(),
    observed_at: z.iso.datetime(),
    age_ms: z.number(),
    source: z.string(),
    /** There, and false, when the source could not verify of which input, or against which reference, the value is. */
    verified: z.literal(false).optional(),
    /** There, and false, while the pressure calibration is not confirmed for the source of this input. */
    calibration_confirmed: z.literal(false).optional(),
  });
export type SensorAnswer = z.output<ReturnType<typeof sensorAnswerOf>>;

const failedItem = z.object({
  sensor_id: z.string(),
  value: z.null(),
  ok: z.literal(false),
  code: z.string(),
  error: z.string(),
});

const batchAnswerOf = (units: readonly string[]) =>
  z.object({
    ok: z.literal(true),
    complete: z.boolean(),
    degraded: z.boolean(),
    sensors: z.record(z.string(), z.union([sensorAnswerOf(units), failedItem])),
  });

/** Of a batch without a single reading. */
export const sensorProblemMembers = batchAnswerOf(['V']).omit({ ok: true }).shape;

const unitsOf = (sensors: SensorPorts): string[] => [
  ...new Set([...sensors.values()].map(({ unit }) => unit)),
];

export interface SensorRoutesOptions {
  sensors: SensorPorts;
  names: DeviceNames;
  clock: Clock;
  /** That of the service: counts a failure, and gives it what its own answer says beside its sentence. */
  translate: (thrown: unknown) => unknown;
  /** Called for each reading, and of each failure by its sensor. */
  note?: (id: string, outcome: SensorAnswer | CodedError) => void;
}

/** Values are raw: volts, or the unit that the device measures in. */
export function sensorRoutes(options: SensorRoutesOptions): Route[] {
  const { names, sensors } = options;
  const units = unitsOf(sensors);
  return [
    route({
      method: 'GET',
      path: '/api/v1/hardware/sensor/:id',
      summary: 'One raw reading of a sensor: volts of an analog input, else in the unit of its device',
      params: z.object({ id: z.string() }),
      answer: sensorAnswerOf(units),
      problems: [...DEVICE_PROBLEMS, ...SENSOR_PROBLEMS],
      handler: ({ params, signal }) => readSensor(options, idOf(names, params.id, 'path'), signal),
    }),
    route({
      method: 'GET',
      path: '/api/v1/hardware/sensors/batch',
      summary: 'Readings of several sensors; a failed one has value null; 503 when there is none',
      query: z.object({ sensor_ids: z.string() }),
      answer: batchAnswerOf(units),
      problems: [...DEVICE_PROBLEMS, ...SENSOR_PROBLEMS],
      handler: ({ query, signal }) => {
        const asked = namesIn(query.sensor_ids);
        return readBatch(options, new Map(asked.map((name) => [name, idOf(names, name, 'query')])), signal);
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/hardware/sensors/each',
      summary:
        'Readings of several sensors, each as soon as it is there: a line with sensor, status and body of its own route',
      query: z.object({ sensor_ids: z.string() }),
      answerType: NDJSON_TYPE,
      handler: ({ query, signal, refusalOf }) =>
        streamEach(new Set(namesIn(query.sensor_ids)), async (name) => {
          try {
            return { status: 200, body: await readSensor(options, idOf(names, name, 'query'), signal) };
          } catch (thrown) {
            const { status, body } = refusalOf(thrown, name);
            return { status, body };
          }
        }),
    }),
  ];
}

async function readSensor(
  { sensors, clock, note }: SensorRoutesOptions,
  sensor_id: string,
  signal: AbortSignal,
): Promise<SensorAnswer> {
  const sensor = sensors.get(sensor_id);
  if (!sensor) throw new TypeError(`no port of ${sensor_id}`);
  try {
    const reading = await sensor.read(signal);
    if (reading.unit !== sensor.unit)
      throw new HttpError(
        'corrupt_response',
        `${sensor_id}: a reading in ${reading.unit}, not in ${sensor.unit}`,
      );
    if (!Number.isFinite(reading.value))
      throw new HttpError('corrupt_response', `${sensor_id}: the reading is not a finite number`);
    const ageMs = reading.ageMs ?? clock.now() - reading.observedAt;
    const answer: SensorAnswer = {
      sensor_id,
      value: reading.value,
      unit: reading.unit,
      ok: true,
      simulated: sensor.origin.mock,
      bench: reading.bench ?? sensor.origin.bench,
      adapter: reading.adapter,
      physical_input: reading.physicalInput,
      raw: reading.raw,
      saturated: reading.saturated,
      observed_at: new Date(reading.observedAt).toISOString(),
      age_ms: Math.max(0, Math.round(ageMs)),
      source: reading.source,
      ...(reading.verified === false ? { verified: false as const } : {}),
      ...(reading.calibrationConfirmed === false ? { calibration_confirmed: false as const } : {}),
    };
    note?.(sensor_id, answer);
    return answer;
  } catch (thrown) {
    if (thrown instanceof CodedError && !signal.aborted) note?.(sensor_id, thrown);
    throw thrown;
  }
}

/** @param ids by the names they were asked for, which are the keys of the answer */
async function readBatch(
  options: SensorRoutesOptions,
  ids: ReadonlyMap<string, string>,
  signal: AbortSignal,
) {
  const item = (id: string) =>
    readSensor(options, id, signal).catch((thrown) => {
      const answer = failed(id, thrown);
      if (!signal.aborted) options.translate(thrown);
      return answer;
    });
  const entries = await Promise.all([...ids].map(async ([name, id]) => [name, await item(id)] as const));
  const good = entries.filter(([, item]) => item.ok).length;
  const summary = {
    complete: good === entries.length,
    degraded: good < entries.length,
    sensors: Object.fromEntries(entries),
  };
  if (good > 0) return { ok: true as const, ...summary };
  const reasons = new Set(entries.flatMap(([, item]) => (item.ok ? [] : [item.error])));
  const message = `none of the sensors gave a reading: ${[...reasons].join('; ')}`;
  throw new HttpError('device_unavailable', message, { members: summary });
}

/** A failed item keeps its identity and has no value. A defect is not an item: it fails the request. */
function failed(sensor_id: string, thrown: unknown): z.output<typeof failedItem> {
  if (!(thrown instanceof CodedError) || !problemKind(thrown.code)) throw thrown;
  return { sensor_id, value: null, ok: false, code: thrown.code, error: thrown.message };
}

function namesIn(list: string): string[] {
  const found = list.split(',').map((name) => name.trim());
  if (found.length <= MAX_BATCH && !found.includes('')) return found;
  const message = `must be 1..${MAX_BATCH} ids separated by commas`;
  throw invalidField('invalid_parameter', { in: 'query', field: 'sensor_ids', message, value: list });
}

function idOf(names: DeviceNames, name: string, place: 'path' | 'query'): string {
  const id = names.sensor(name);
  if (id !== undefined) return id;
  const message = `must be ${names.sensorIds.join(', ')}, 0..3 or an alias of svc.yaml`;
  const field = place === 'path' ? 'id' : 'sensor_ids';
  throw invalidField('unknown_sensor', { in: place, field, message, value: name });
}
