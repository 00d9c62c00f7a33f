import type { Clock } from '../../../../lib/clock/clock.ts';
import type { AdcMap, Plugin } from '../../../configuration/types.ts';
import type { Component, ComponentHealth } from '../../ports.ts';
import type { VoltageDevice } from '../../rig-device.ts';
import { SENSOR_IDS } from '../../voltage-inputs.ts';
import { usable } from '../access.ts';
import { drivenVoltages } from '../voltages.ts';
import { AdcSource } from './adc-source.ts';
import { failingComponents } from './adc-stack.ts';
import { httpSensors } from './sensors.ts';
import { ServiceLink, SOURCE } from './service-link.ts';

export interface VoltageOptions {
  plugins: readonly Plugin[];
  clock: Clock;
  adcMap?: AdcMap | undefined;
  token?: string | undefined;
}

const ID = 'sensor-adc';
const MAPPABLE = 3;

/**
 * Where the voltages come from: the channels of `adc_map` from its ADC service, all others from the sensor ADC, which
 * is either behind its service or on a bus of this process.
 *
 * @param driven the converter on a bus of this process
 */
export function configuredVoltages(options: VoltageOptions, driven: () => VoltageDevice): VoltageDevice {
  const { plugins, adcMap: map, clock, token } = options;
  const judged = usable(plugins, ID, ['http', 'i2c']);
  const sensors = pluginSensors(judged, options, driven);
  if (!map) return sensors;
  const source = new AdcSource({ map, token, clock });
  const mapped = new ServiceLink({
    ...SOURCE,
    id: ID,
    client: source.client,
    clock,
    more: failingComponents,
  });
  const isUnused = 'kind' in judged && judged.kind !== 'config_error';
  const isNeeded = !isUnused && source.ids.length < MAPPABLE;
  return {
    steps: {},
    component: mappedComponent(map, source.ids, mapped, isNeeded ? sensors.component : undefined),
    open: async () => {
      await Promise.all([mapped.open(), sensors.open()]);
    },
    close: async () => {
      await Promise.all([mapped.close(), sensors.close()]);
    },
    port: {
      origin: {
        mock: false,
        get bench() {
          return mapped.origin.bench || sensors.port.origin.bench;
        },
      },
      read: async (input, signal) => {
        const id = SENSOR_IDS[input] ?? '';
        if (!source.ids.includes(id)) return sensors.port.read(input, signal);
        const reading = await source.read(id, signal).catch((thrown: unknown) => {
          mapped.noteFailure(thrown);
          throw thrown;
        });
        mapped.noteBench(reading.bench === true);
        return reading;
      },
    },
  };
}

function pluginSensors(
  judged: ReturnType<typeof usable<'http' | 'i2c'>>,
  { clock, token }: VoltageOptions,
  driven: () => VoltageDevice,
): VoltageDevice {
  if ('kind' in judged) return drivenVoltages(judged, clock);
  const { plugin, connection } = judged;
  if (connection.type === 'i2c') return driven();
  return httpSensors({ baseUrl: connection.baseUrl, token, clock, timeoutMs: plugin.timeoutMs });
}

/**
 * Health of `sensor-adc` where `adc_map` stands before it: the ADC service must be well, and the sensor ADC too as long
 * as one of ai01..ai03 comes from it.
 */
function mappedComponent(
  map: AdcMap,
  ids: readonly string[],
  mapped: Component,
  others: Component | undefined,
): Component {
  const channels = ids.join(', ');
  const told = (health: Pick<ComponentHealth, 'status' | 'message'>) =>
    `${channels} from ${map.device}: ${health.message}`;
  return {
    id: ID,
    endpoint: mapped.endpoint,
    path: null,
    check: async (signal) => {
      const [source, rest] = await Promise.all([mapped.check(signal), others?.check(signal)]);
      const worse = source.status === 'ok' && rest ? rest : source;
      const components = { [map.device]: entry(source), ...(rest ? { [ID]: entry(rest) } : {}) };
      return {
        ...worse,
        message: worse === source ? told(source) : worse.message,
        latencyMs: Math.max(source.latencyMs, rest?.latencyMs ?? 0),
        bench: source.bench || (rest?.bench ?? false),
        components: { ...components, ...source.components },
      };
    },
    known: () => {
      const source = mapped.known();
      if (source.status !== 'ok' || !others) return { ...source, message: told(source) };
      return others.known();
    },
  };
}

const entry = ({ status, code, message, endpoint, bench }: ComponentHealth) => ({
  status,
  code,
  message,
  endpoint,
  bench,
});
