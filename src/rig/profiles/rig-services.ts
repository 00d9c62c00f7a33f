/**
 * The services that every rig has beside the ADC services of its profile, in the order in which they end: who moves
 * something goes before what it moves, the guard after all that it guards.
 */
export const RIG_SERVICES = [
  'svc-server',
  'svc-bridge',
  'svc-lung',
  'svc-pump',
  'svc-sensors',
  'svc-guard',
] as const;
export type RigService = (typeof RIG_SERVICES)[number];

/** Default port of each, and the variable that changes it. */
export const RIG_PORTS = {
  'svc-server': [8200, 'SVC_API_PORT'],
  'svc-bridge': [8202, 'SVC_BRIDGE_PORT'],
  'svc-lung': [8205, 'SVC_LUNG_PORT'],
  'svc-pump': [49_055, 'SVC_PUMP_PORT'],
  'svc-sensors': [8204, 'SVC_SENSORS_PORT'],
  'svc-guard': [8201, 'SVC_GUARD_PORT'],
} as const satisfies Partial<Record<RigService, readonly [number, string]>>;
export type ListeningService = keyof typeof RIG_PORTS;
