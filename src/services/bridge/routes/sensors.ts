import type { Metrics } from '../../../lib/http/metrics.ts';
import type { Route } from '../../../lib/http/route.ts';
import { sensorRoutes as routesOf } from '../../../rig/service/sensor-routes.ts';
import type { Bridge } from '../bridge.ts';

export function sensorRoutes({ rig, names, clock }: Bridge, metrics: Metrics): Route[] {
  return routesOf({ sensors: rig.sensors, names, clock, metrics });
}
