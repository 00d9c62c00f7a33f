import type { Clock } from '../../../../lib/clock/clock.ts';
import type { Milliseconds } from '../../../../lib/quantity.ts';
import type { ComponentHealth, SensorReading } from '../../ports.ts';
import type { VoltageDevice } from '../../rig-device.ts';
import { RigError } from '../../rig-error.ts';
import { SENSOR_IDS } from '../../voltage-inputs.ts';
import {
  ageIn,
  asSourceFault,
  freshReading,
  marksIn,
  numberIn,
  observedIn,
  type ReceivedSample,
  refuseSimulated,
  textIn,
} from './adc-sample.ts';
import { type JsonObject, ServiceClient } from './service-client.ts';
import { ServiceLink, SOURCE } from './service-link.ts';

const DEVICE = 'sensor-adc';

export interface HttpSensorsOptions {
  baseUrl: string;
  token: string | undefined;
  clock: Clock;
  /** Milliseconds of one call, at most 2500. */
  timeoutMs: Milliseconds;
}

/** The sensor ADC behind the service that owns it. */
export function httpSensors({ baseUrl, token, clock, timeoutMs }: HttpSensorsOptions): VoltageDevice {
  const client = new ServiceClient({ device: DEVICE, baseUrl, token, clock, timeoutMs });
  const link = new ServiceLink({ ...SOURCE, id: DEVICE, client, clock, more: chipOf });
  return {
    component: link,
    open: () => link.open(),
    close: () => link.close(),
    steps: {},
    port: {
      origin: link.origin,
      read: async (input, signal) => {
        const id = SENSOR_IDS[input];
        if (id === undefined)
          throw new RigError('device_error', DEVICE, `has no input ${input}; inputs are 0..3`);
        const path = `/api/v1/hardware/sensor/${id}`;
        const answer = await client.get(path, { signal }).catch((thrown: unknown) => {
          link.noteFailure(thrown);
          throw asSourceFault(thrown);
        });
        const sample = sampleIn(client, path, id, answer, clock);
        link.noteBench(sample.reading.bench === true);
        return freshReading(sample, clock);
      },
    },
  };
}

/** @throws RigError `sensor_source_simulated`, `corrupt_response` */
function sampleIn(
  client: ServiceClient,
  path: string,
  id: string,
  answer: JsonObject,
  clock: Clock,
): ReceivedSample {
  refuseSimulated(client.baseUrl + path, answer);
  const volts = numberIn(answer, 'value');
  if (volts === undefined)
    throw client.corrupt(path, `value ${JSON.stringify(answer.value)}, no finite number`);
  if (answer.ok !== true) throw client.corrupt(path, 'without ok: true');
  if (answer.unit !== 'V')
    throw client.corrupt(path, `unit ${JSON.stringify(answer.unit)} where "V" is wanted`);
  if (answer.sensor_id !== id)
    throw client.corrupt(path, `for sensor ${JSON.stringify(answer.sensor_id)} where "${id}" was asked`);
  const corrupt = (why: string) => client.corrupt(path, why);
  const observedAt = observedIn(answer);
  if (observedAt === undefined) throw client.corrupt(path, 'without observed_at, so that its age is unknown');
  const reading: SensorReading = {
    value: volts,
    unit: 'V',
    raw: numberIn(answer, 'raw') ?? null,
    observedAt,
    adapter: textIn(answer, 'adapter') ?? DEVICE,
    physicalInput: textIn(answer, 'physical_input') ?? id,
    source: textIn(answer, 'source') ?? client.baseUrl,
    ...marksIn([answer], corrupt),
  };
  return { reading, receivedAt: clock.monotonic(), toldAgeMs: ageIn(answer, corrupt) };
}

/** A chip on a bus of this machine, as the service found it. */
function chipOf({ ok, bus, address, bench }: JsonObject): Partial<ComponentHealth> {
  if (ok !== true || bench === true || typeof bus !== 'number' || typeof address !== 'string') return {};
  return { chip: { bus, address, name: 'ADS1115' } };
}
