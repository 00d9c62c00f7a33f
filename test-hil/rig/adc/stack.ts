import { type AdcBench, onAdcBench } from './adc-bench.ts';
import { SharedService, untilGood, type Work } from './shared-service.ts';

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

const shared = new SharedService('svc-adc-stack', ['usbhid', 'uart']);

/** The stack that the tests of this file share. */
export const onStack = (work: Work) => shared.use(work);
/** After the last test of a file. */
export const closeStack = () => shared.close();

/** A stack and twins of its own, with `env` on top. */
export const onOwnStack = (
  work: Work,
  env: (rig: AdcBench) => Record<string, string> = () => ({}),
): Promise<void> =>
  onAdcBench(async (rig) => {
    const service = await rig.start('svc-adc-stack', env(rig));
    await untilGood(service.call);
    await work(service.call, rig, service);
  });
