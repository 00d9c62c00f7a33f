import * as z from 'zod';
import { CodedError } from '../../../lib/errors/coded-error.ts';
import { HttpError, invalidField } from '../../../lib/http/http-error.ts';
import { problemKind } from '../../../lib/http/problem-table.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import { SENSOR_IDS } from '../../../rig/hardware/names.ts';
import type { Bridge } from '../bridge.ts';
import { isoTime } from './origin.ts';

const MAX_BATCH = 16;

const sensorAnswer = z.object({
  sensor_id: z.string(),
  value: z.number(),
  unit: z.literal('V'),
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
});

/** Services specification, sections 7, 10.1 and 10.5. Values are raw volts. */
export function sensorRoutes(bridge: Bridge): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/hardware/sensor/:id',
      summary: 'One raw reading of an analog input, in volts',
      params: z.object({ id: z.string() }),
      answer: sensorAnswer,
      handler: ({ params, signal }) => readSensor(bridge, params.id, 'path', signal),
    }),
    route({
      method: 'GET',
      path: '/api/v1/hardware/sensors/batch',
      summary: 'Readings of several inputs; a failed one has value null',
      query: z.object({ sensor_ids: z.string() }),
      handler: async ({ query, signal }) => {
        const ids = query.sensor_ids.split(',').map((id) => id.trim());
        if (ids.length > MAX_BATCH || ids.includes('')) {
          const message = `must be 1..${MAX_BATCH} ids separated by commas`;
          const fault = { in: 'query', field: 'sensor_ids', message, value: query.sensor_ids } as const;
          throw invalidField('invalid_parameter', fault);
        }
        for (const id of ids) inputOf(bridge, id, 'query');
        return readBatch(bridge, [...new Set(ids)], signal);
      },
    }),
  ];
}

export async function readSensor(
  bridge: Bridge,
  id: string,
  place: 'path' | 'query',
  signal: AbortSignal,
): Promise<z.output<typeof sensorAnswer>> {
  const input = inputOf(bridge, id, place);
  const { sensors } = bridge.rig;
  const reading = await sensors.read(input, signal);
  if (!Number.isFinite(reading.volts)) {
    throw new HttpError('corrupt_response', `${SENSOR_IDS[input]}: the reading is not a finite number`);
  }
  return {
    sensor_id: SENSOR_IDS[input] ?? id,
    value: reading.volts,
    unit: 'V',
    ok: true,
    simulated: sensors.origin.mock,
    bench: sensors.origin.bench,
    adapter: reading.adapter,
    physical_input: reading.physicalInput,
    raw: reading.raw,
    saturated: reading.saturated,
    observed_at: isoTime(reading.observedAt),
    age_ms: Math.max(0, Math.round(bridge.clock.now() - reading.observedAt)),
    source: reading.source,
  };
}

async function readBatch(bridge: Bridge, ids: readonly string[], signal: AbortSignal) {
  const items = await Promise.all(
    ids.map((id) =>
      readSensor(bridge, id, 'query', signal).catch((thrown: unknown) => failedItem(id, thrown)),
    ),
  );
  const good = items.filter((item) => item.ok).length;
  const sensors = Object.fromEntries(ids.map((id, i) => [id, items[i]]));
  const summary = { complete: good === ids.length, degraded: good < ids.length, sensors };
  if (good > 0) return { ok: true, ...summary };
  throw new HttpError('device_unavailable', 'none of the sensors gave a reading', { members: summary });
}

/** A failed item keeps its identity and has no value. A defect is not an item: it fails the request. */
function failedItem(id: string, thrown: unknown) {
  if (!(thrown instanceof CodedError) || !problemKind(thrown.code)) throw thrown;
  return { sensor_id: id, value: null, ok: false, code: thrown.code, error: thrown.message };
}

function inputOf(bridge: Bridge, id: string, place: 'path' | 'query'): number {
  const input = bridge.names.input(id);
  if (input !== undefined) return input;
  const message = `must be ${SENSOR_IDS.join(', ')}, 0..3 or an alias of svc.yaml`;
  const field = place === 'path' ? 'id' : 'sensor_ids';
  throw invalidField('unknown_sensor', { in: place, field, message, value: id });
}
