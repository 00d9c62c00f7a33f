/** Shell words for the process ids of each part of the rig in the machine; both guards count as one. */
const PIDS = {
  bridge: "$(pgrep -f 'dist/svc-bridge.cjs$')",
  guard: '$(systemctl show -P MainPID svc-guard) $(systemctl show -P MainPID svc-guard-partner)',
  PM2: '$(systemctl show -P MainPID svc-rig)',
  pump: "$(pgrep -f 'dist/svc-pump.cjs$')",
  lung: "$(pgrep -f 'dist/svc-lung.cjs$')",
} as const;
export type RigProcess = keyof typeof PIDS;

export const ALL = Object.keys(PIDS) as RigProcess[];

/** Each single, pair and triple, the small ones first. */
export const COMBINATIONS: readonly RigProcess[][] = ALL.flatMap((first, i) => [
  [first],
  ...ALL.slice(i + 1).flatMap((second, j) => {
    const thirds = ALL.slice(i + j + 2).map((third): RigProcess[] => [first, second, third]);
    return [[first, second], ...thirds];
  }),
]).sort((a, b) => a.length - b.length);

/** Shell line that sends a signal to all processes of these parts in one call. */
export function signalTo(names: readonly RigProcess[], signal: 'KILL' | 'STOP' | 'CONT'): string {
  return `kill -${signal} ${names.map((name) => PIDS[name]).join(' ')}`;
}
