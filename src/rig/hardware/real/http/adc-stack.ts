import type { Clock } from '../../../../lib/clock/clock.ts';
import type { Plugin } from '../../../configuration/types.ts';
import type { Component, ComponentHealth } from '../../ports.ts';
import { usable } from '../access.ts';
import { realComponent } from '../component.ts';
import { textIn } from './adc-sample.ts';
import { type JsonObject, ServiceClient } from './service-client.ts';
import { ServiceLink, SOURCE } from './service-link.ts';

const ID = 'adc-stack';
/** Of a health probe, whatever the plugin allows: the stack asks its devices meanwhile and needs most of it. */
const HEALTH_MS = 2500;

/** A component that is asked from time to time between `open` and `close`. */
export interface WatchedComponent extends Component {
  open(): Promise<void>;
  close(): Promise<void>;
}

/** The plugin `adc-stack`: how the combined ADC service stands, and each device behind it. */
export function adcStackComponent(options: {
  plugins: readonly Plugin[];
  clock: Clock;
  token?: string | undefined;
}): WatchedComponent {
  const { plugins, clock, token } = options;
  const judged = usable(plugins, ID, ['http']);
  if ('kind' in judged) {
    const component = realComponent<never>({ id: ID, access: judged, clock, probe: async () => '' });
    return { ...component, open: async () => {}, close: async () => {} };
  }
  const { connection } = judged;
  const timeoutMs = HEALTH_MS;
  const client = new ServiceClient({ device: ID, baseUrl: connection.baseUrl, token, clock, timeoutMs });
  return new ServiceLink({ ...SOURCE, id: ID, client, clock, more: stackHealth });
}

function stackHealth(answer: JsonObject): Partial<ComponentHealth> {
  const version = textIn(answer, 'version');
  return { ...failingComponents(answer), ...(version === undefined ? {} : { version }) };
}

/** What an ADC service says of the devices behind it; with a sentence about those that fail. */
export function failingComponents(answer: JsonObject): Partial<ComponentHealth> {
  const { components } = answer;
  if (typeof components !== 'object' || components === null) return {};
  const entries = Object.entries(components as Record<string, unknown>).flatMap(([name, one]) =>
    typeof one === 'object' && one !== null ? [[name, one as JsonObject] as const] : [],
  );
  const failing = entries.filter(([, one]) => one.ok !== true);
  const message = failing.map(([name, one]) => `${name} ${said(one)}`).join('; ');
  return {
    components: Object.fromEntries(entries),
    bench: answer.bench === true || entries.some(([, one]) => one.bench === true),
    ...(failing.length > 0 ? { message } : {}),
  };
}

function said(component: JsonObject): string {
  const status = textIn(component, 'status') ?? 'failed';
  const message = textIn(component, 'message');
  return message === undefined ? status : `${status}: ${message}`;
}
