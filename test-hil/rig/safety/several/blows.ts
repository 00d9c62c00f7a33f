/** What can be struck. `svc-guard` is the one that PM2 looks after, its partner the one that it has started itself. */
export const TARGETS = [
  'svcctl',
  'svc-server',
  'svc-bridge',
  'svc-guard',
  'svc-guard-partner',
  'pm2',
  'svc-pump',
  'svc-lung',
] as const;
export type Target = (typeof TARGETS)[number];

export const SIGNALS = ['SIGKILL', 'SIGSTOP'] as const;
export type BlowSignal = (typeof SIGNALS)[number];

/** Several processes struck at once: each with its signal. */
export type Blows = Readonly<Partial<Record<Target, BlowSignal>>>;

/** Every choice of `size` targets, each with every signal. */
export function allBlows(size: number, targets: readonly Target[] = TARGETS): Blows[] {
  if (size === 0) return [{}];
  return targets.flatMap((target, i) =>
    allBlows(size - 1, targets.slice(i + 1)).flatMap((rest) =>
      SIGNALS.map((signal): Blows => ({ [target]: signal, ...rest })),
    ),
  );
}

/** `svc-bridge killed, svc-guard frozen` */
export const blowsText = (blows: Blows): string =>
  Object.entries(blows)
    .map(([target, signal]) => `${target} ${signal === 'SIGKILL' ? 'killed' : 'frozen'}`)
    .join(', ');

/** What must be off, and how soon. */
export interface Promised {
  /** How the names of the outputs begin; '' is all of them, undefined: the run may go on. */
  scope: '' | 'pump' | 'lung' | undefined;
  limitMs: number;
  /** No process is left that could do it: only the supply of the devices can be cut. */
  isHardwareOnly: boolean;
}

/** SVC-054. */
const LIMIT_MS = 5000;
/** A run that is frozen keeps its lease for 5 s (docs/running.md). */
const FROZEN_RUN_MS = 8000;

/** What docs/guard.md promises for these blows. */
export function promisedFor(blows: Blows): Promised {
  const isStruck = (target: Target) => blows[target] !== undefined;
  const hasSupervisor = !isStruck('pm2');
  // PM2 starts again what ended, and never notices what is frozen.
  const comesBack = (target: Target) => hasSupervisor && blows[target] === 'SIGKILL';
  const hasGuard = !isStruck('svc-guard') || !isStruck('svc-guard-partner') || comesBack('svc-guard');
  const ofService = (target: Target) => !isStruck(target) || hasGuard || comesBack(target);
  const areDevicesSafe = ofService('svc-pump') && ofService('svc-lung');
  const all = { scope: '', limitMs: LIMIT_MS } as const;
  if (isStruck('svc-bridge'))
    return { ...all, isHardwareOnly: !((hasGuard || comesBack('svc-bridge')) && areDevicesSafe) };
  if (blows.svcctl === 'SIGKILL') return { ...all, isHardwareOnly: !areDevicesSafe };
  if (blows.svcctl === 'SIGSTOP')
    return { scope: '', limitMs: FROZEN_RUN_MS, isHardwareOnly: !areDevicesSafe };
  for (const [target, scope] of [
    ['svc-pump', 'pump'],
    ['svc-lung', 'lung'],
  ] as const)
    if (isStruck(target)) return { scope, limitMs: LIMIT_MS, isHardwareOnly: !areDevicesSafe };
  return { scope: undefined, limitMs: LIMIT_MS, isHardwareOnly: false };
}
