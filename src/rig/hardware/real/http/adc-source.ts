import type { Clock } from '../../../../lib/clock/clock.ts';
import { messageOf } from '../../../../lib/errors/coded-error.ts';
import type { Milliseconds } from '../../../../lib/quantity.ts';
import type { AdcMap } from '../../../configuration/types.ts';
import type { SensorReading } from '../../ports.ts';
import { RigError } from '../../rig-error.ts';
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

const DEVICE = 'sensor-adc';
const CALL_MS = 2500;
/**
 * How long a sample is served again, from the moment it was asked for: 0.1 s less
 * what timers and networks shift, so that a program that reads every 100 ms gets a new conversion each time.
 */
const CACHE_MS = 80;
const WAIT_AFTER_FAILURE_MS = 3000;

interface Channel {
  id: string;
  endpoint: string;
  pin: string;
  kept?: ReceivedSample & { askedAt: number };
  failure?: { error: unknown; at: number };
}

export interface AdcSourceOptions {
  map: AdcMap;
  token: string | undefined;
  clock: Clock;
}

/** The ADC service that `adc_map` names, as a source of voltages. */
export class AdcSource {
  readonly client: ServiceClient;
  readonly #map: AdcMap;
  readonly #clock: Clock;
  readonly #channels: ReadonlyMap<string, Channel>;

  constructor({ map, token, clock }: AdcSourceOptions) {
    this.client = new ServiceClient({
      device: DEVICE,
      baseUrl: map.baseUrl,
      token,
      clock,
      timeoutMs: CALL_MS,
    });
    this.#map = map;
    this.#clock = clock;
    this.#channels = new Map(
      Object.entries(map.channels).map(([id, { endpoint, pin }]) => [id, { id, endpoint, pin }]),
    );
  }

  /** Sensor ids, for example `ai01`, whose voltages come from here. */
  get ids(): string[] {
    return [...this.#channels.keys()];
  }

  /**
   * The last sample while it was asked for less than 80 ms ago, else a new one. After a failed call of the channel
   * the next is made 3 s later; until then the failure is reported again. Nothing older than the failure is given after it.
   *
   * @throws RigError of the service, or `corrupt_response`, `sensor_source_simulated`, `device_error`
   */
  async read(id: string, signal?: AbortSignal): Promise<SensorReading> {
    const channel = this.#channels.get(id);
    if (!channel) throw new RigError('device_error', DEVICE, `${id} is not in adc_map of svc.yaml`);
    const now = this.#clock.monotonic();
    if (channel.kept && now - channel.kept.askedAt < CACHE_MS) return freshReading(channel.kept, this.#clock);
    if (channel.failure) {
      const waitMs = channel.failure.at + WAIT_AFTER_FAILURE_MS - now;
      if (waitMs > 0) throw again(channel, waitMs);
    }
    try {
      const sample = this.#sampleIn(channel, await this.client.get(channel.endpoint, { signal }));
      const reading = freshReading(sample, this.#clock);
      channel.kept = { ...sample, askedAt: now };
      delete channel.failure;
      return reading;
    } catch (thrown) {
      // No caller waits any more: that says nothing about the source.
      if (signal?.aborted) throw thrown;
      const error = asSourceFault(thrown);
      delete channel.kept;
      channel.failure = { error, at: this.#clock.monotonic() };
      throw error;
    }
  }

  /** @throws RigError `sensor_source_simulated`, `corrupt_response`, `wrong_device` */
  #sampleIn({ endpoint, pin }: Channel, item: JsonObject): ReceivedSample {
    const { client } = this;
    const reading = typeof item.reading === 'object' && item.reading !== null ? item.reading : undefined;
    if (!reading) throw client.corrupt(endpoint, 'without a reading');
    const inner = reading as JsonObject;
    const url = client.baseUrl + endpoint;
    refuseSimulated(url, item, inner);
    const volts = numberIn(inner, 'volts');
    if (volts === undefined)
      throw client.corrupt(endpoint, `reading.volts ${JSON.stringify(inner.volts)}, no finite number`);
    const observedAt = observedIn(inner);
    if (observedAt === undefined)
      throw client.corrupt(endpoint, 'a reading without observed_at, so that its age is unknown');
    this.#refuseOtherPin(url, pin, inner);
    const corrupt = (why: string) => client.corrupt(endpoint, why);
    return {
      receivedAt: this.#clock.monotonic(),
      toldAgeMs: ageIn(inner, corrupt),
      reading: {
        value: volts,
        unit: 'V',
        raw:
          numberIn(inner, 'raw_10bit') ??
          numberIn(inner, 'raw_hundredth_millivolts') ??
          numberIn(inner, 'raw') ??
          null,
        observedAt,
        adapter: textIn(inner, 'adapter') ?? textIn(item, 'adapter') ?? this.#map.device,
        physicalInput: textIn(inner, 'physical_input') ?? textIn(item, 'physical_input') ?? pin,
        source: url,
        ...marksIn([inner, item], corrupt),
      },
    };
  }

  /** The file says which pin of which device it is; the same device telling another pin is a mistake in the file. */
  #refuseOtherPin(url: string, pin: string, reading: JsonObject): void {
    const told = textIn(reading, 'input_name');
    if (reading.adapter !== this.#map.device || told === undefined || told === pin) return;
    const message = `${url} reads ${told} of ${this.#map.device} where adc_map of svc.yaml has pin ${pin}; correct endpoint or pin`;
    throw new RigError('wrong_device', DEVICE, message);
  }
}

function again({ failure }: Channel, waitMs: Milliseconds): unknown {
  const { error } = failure ?? {};
  if (!(error instanceof RigError)) return error;
  const message = `${messageOf(error)}; it is asked again in ${(waitMs / 1000).toFixed(1)} s`;
  return new RigError(error.code, error.device, message, error, error.members);
}
