import { type AdcBench, type Answer, onAdcBench, until } from '../../rig/adc/service/testing-service.ts';
import { adcStack } from './adc-stack.ts';

export interface StackItem {
  ok: boolean;
  logical_channel: number;
  logical_name: string;
  adapter: string;
  physical_input: string;
  nominal_range_volts: number[];
  calibration_confirmed?: false;
  reading?: Record<string, unknown>;
  code?: string;
  error?: string;
}

export interface StackHealth {
  ok: boolean;
  status: string;
  components: Record<
    string,
    { ok: boolean; status: string; message: string; endpoint: string; bench: boolean }
  >;
  sources: Record<string, string>;
  calibration_confirmation_required: boolean;
}

export const itemsOf = (body: unknown) => body as StackItem[];
export const healthOf = (body: unknown) => body as StackHealth;
export const problemOf = (body: unknown) => body as StackItem & { status: number; channels?: StackItem[] };

/** The stack on twins of its own, with `env` on top. */
export const onStack = (
  work: (call: (path: string) => Promise<Answer>, rig: AdcBench) => Promise<void>,
  env: (rig: AdcBench) => Record<string, string> = () => ({}),
) =>
  onAdcBench(async (rig) => {
    const { call } = await rig.start(adcStack, env(rig));
    await until(async () => (await call('/api/v1/adc/1')).status === 200);
    await work(call, rig);
  });
