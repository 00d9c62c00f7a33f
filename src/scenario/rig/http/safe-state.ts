import { messageOf } from '../../../lib/errors/coded-error.ts';
import type { Peripheral, Registry } from '../../../rig/registry/registry.ts';
import type { SafeStateStep } from '../../events/event.ts';
import { RunFault } from '../fault.ts';
import type { SafeStateReport, Setting } from '../rig.ts';
import type { Answer, BridgeClient, Call } from './bridge-client.ts';
import { contradictionOf } from './contradiction.ts';
import { isRecord, rejectionOf } from './rejection.ts';
import { entryOf, isOn } from './state-entry.ts';

/** The bridge bounds its safe state to 5 s; a little more for the way. */
const WHOLE_TIMEOUT_MS = 5500;
/** Caps of the single calls; 4.8 s together. */
const LUNG_CAP_MS = 800;
const PUMP_CAP_MS = 800;
const VALVES_CAP_MS = 1400;
const READ_BACK_CAP_MS = 1000;

export interface SafeStateOptions {
  readonly client: BridgeClient;
  readonly base: string;
  readonly lungUrl: string | undefined;
  readonly leaseId: string | undefined;
  readonly valves: readonly Peripheral[];
  readonly registry: Pick<Registry, 'peripheral'>;
  /** Ids that the scenario uses: the bridge has to know these. */
  readonly used: ReadonlySet<string>;
}

/**
 * Drives the rig to the safe state by the bridge's own command; where the bridge has none or does not answer, by
 * single calls. Never rejects: what failed is a step.
 * @returns with the answer of the bridge, where its own command was taken
 */
export async function makeSafe(options: SafeStateOptions): Promise<SafeStateReport & { answer?: Answer }> {
  const whole = await wholeSafeState(options);
  if (whole) return whole;
  const steps = await singleCalls(options);
  return { ok: steps.every((step) => step.ok), steps };
}

async function wholeSafeState({
  client,
  base,
  leaseId,
}: SafeStateOptions): Promise<(SafeStateReport & { answer: Answer }) | undefined> {
  let answer: Answer;
  try {
    answer = await client.send({
      method: 'POST',
      // Without a reason the bridge takes it for an operator's stop, which stays.
      url: `${base}/api/v1/hardware/safe-state?reason=run_ended`,
      headers: leaseHeader(leaseId),
      timeoutMs: WHOLE_TIMEOUT_MS,
    });
  } catch (thrown) {
    if (thrown instanceof RunFault) return undefined;
    throw thrown;
  }
  const steps = isRecord(answer.json) ? stepsOf(answer.json.steps) : [];
  const rejection = rejectionOf(answer);
  if (rejection === undefined) return { ok: steps.every((step) => step.ok), steps, answer };
  // Steps tell that the bridge tried each one; anything else did not even get that far.
  if (steps.some((step) => !step.ok)) return { ok: false, steps, answer };
  return undefined;
}

function stepsOf(value: unknown): SafeStateStep[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map((step) => {
    const ok = step.ok === true;
    // `failed` adds nothing to why it failed.
    const why = [step.status === 'failed' && step.detail ? '' : step.status, step.detail]
      .filter((part) => typeof part === 'string' && part !== '')
      .join(': ');
    return { name: String(step.name), ok, ...(ok ? {} : { error: why || 'failed' }) };
  });
}

const leaseHeader = (id: string | undefined): Record<string, string> =>
  id === undefined ? {} : { 'x-lease-id': id };

/** In this order and whatever the ones before gave. */
async function singleCalls(options: SafeStateOptions): Promise<SafeStateStep[]> {
  const { base, lungUrl, valves, used } = options;
  const lungUsed = [...used].some((id) => id.startsWith('lung'));
  const lung = `${base}/api/v1/hardware/lung`;
  const fallbackUrl = lungUrl === undefined ? undefined : `${lungUrl}/api/stop`;
  const stop: Setting = { kind: 'lung', id: 'lung', action: 'stop' };
  const lungStep = { setting: stop, timeoutMs: LUNG_CAP_MS, required: lungUsed, fallbackUrl };
  const halt = await step(options, { name: 'lung_halt', url: `${lung}/stop`, ...lungStep });
  const pump = await step(options, {
    name: 'pump_zero',
    setting: { kind: 'pump', id: 'pump', powerPct: 0 },
    url: `${base}/api/v1/hardware/pump?power_pct=0`,
    timeoutMs: PUMP_CAP_MS,
    required: true,
  });
  const disable = await step(options, { name: 'lung_deenergize', url: `${lung}/disable`, ...lungStep });
  const valveSteps = await Promise.all(
    valves.map(({ id, safeValue = false }) =>
      step(options, {
        name: `valve ${id}`,
        setting: { kind: 'valve', id, open: safeValue },
        url: `${base}/api/v1/hardware/valve/${encodeURIComponent(id)}?value=${safeValue}`,
        timeoutMs: VALVES_CAP_MS,
        required: used.has(id),
      }),
    ),
  );
  return [halt, pump, disable, ...valveSteps, await readBack(options)];
}

interface SingleCall {
  name: string;
  /** What the answer has to confirm. */
  setting: Setting;
  url: string;
  timeoutMs: number;
  /** The rig has to know the device. */
  required: boolean;
  fallbackUrl?: string | undefined;
}

async function step(options: SafeStateOptions, single: SingleCall): Promise<SafeStateStep> {
  const { client, leaseId, registry } = options;
  const { name, setting, url, timeoutMs, required, fallbackUrl } = single;
  const call: Call = { method: 'POST', url, headers: leaseHeader(leaseId), timeoutMs };
  try {
    const answer = await client.send(call);
    const rejection = rejectionOf(answer);
    const contradiction = rejection ?? contradictionOf(answer, setting, registry);
    if (contradiction === undefined) return { name, ok: true };
    const unknown = answer.status === 404 || (answer.status === 422 && isUnknown(answer.json));
    if (unknown && fallbackUrl !== undefined)
      return await step(options, { ...single, url: fallbackUrl, fallbackUrl: undefined });
    // The rig has no such device, and the scenario does not use one.
    if (unknown && !required) return { name, ok: true };
    return { name, ok: false, error: contradiction };
  } catch (thrown) {
    return { name, ok: false, error: messageOf(thrown) };
  }
}

const isUnknown = (json: unknown): boolean => isRecord(json) && json.code === 'unknown_valve';

/** What the bridge reads from the devices afterwards. Unknown is not safe. */
async function readBack({ client, base, valves, used }: SafeStateOptions): Promise<SafeStateStep> {
  const name = 'read_back';
  try {
    const url = `${base}/api/v1/state`;
    const answer = await client.send({ method: 'GET', url, timeoutMs: READ_BACK_CAP_MS });
    const rejection = rejectionOf(answer);
    if (rejection !== undefined) return { name, ok: false, error: rejection };
    const wrong = valves.flatMap(({ id, safeValue = false }) => {
      const entry = entryOf(answer.json, id);
      if (!entry) return used.has(id) ? [`${id} is not in the state of the rig`] : [];
      const open = isOn(entry.currentValue);
      return open === safeValue
        ? []
        : [`${id} is ${open === undefined ? 'unknown' : open ? 'open' : 'closed'}`];
    });
    return wrong.length === 0 ? { name, ok: true } : { name, ok: false, error: wrong.join(', ') };
  } catch (thrown) {
    return { name, ok: false, error: messageOf(thrown) };
  }
}
