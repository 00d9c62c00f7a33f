import type { Route } from '../../../lib/http/route.ts';
import { sensorRoutes as routesOf } from '../../../rig/service/sensor-routes.ts';
import type { Bridge } from '../bridge.ts';

export function sensorRoutes(
  { rig, names, clock }: Bridge,
  translate: (thrown: unknown) => unknown,
): Route[] {
  return routesOf({ sensors: rig.sensors, names, clock, translate });
}
