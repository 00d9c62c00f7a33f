import type { Bridge } from './bridge.ts';

/** Why the guard may not end this bridge for a rehearsal; undefined when nobody would miss it. */
export function whyNotRehearse(
  { rig, config, isInUse }: Pick<Bridge, 'rig' | 'config' | 'isInUse'>,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (!rig.bench && config.testCoil === undefined)
    return 'this is not a bench, and svc.yaml has no guard.test_coil';
  if (env.pm_id === undefined) return 'no supervisor would start the bridge again';
  return isInUse ? 'the rig is in use' : undefined;
}
