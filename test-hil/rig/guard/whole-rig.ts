import type { Program } from '../bench/program.ts';
import type { GuardedRig, Service } from './guarded-rig.ts';

export interface WholeRig {
  pump: Service;
  lung: Service;
  bridge: Service;
}

/** The whole rig: pump and lung behind their services. */
export async function whole(rig: GuardedRig): Promise<WholeRig> {
  Object.assign(rig.env, {
    SVC_PUMP_SERIAL_PORT: rig.twin('pump'),
    SVC_LUNG_ADDRESS: `bench:${rig.twin('tic.sock')}`,
  });
  const pump = await rig.service('svc-pump');
  const lung = await rig.service('svc-lung');
  const http = (url: string) => `{ connection_type: http, connection_params: { base_url: "${url}" } }`;
  rig.configure(`plugins:
  modbus-io: { connection_type: modbus-rtu, connection_params: { serial_port: ${JSON.stringify(rig.twin('modbus-io'))} } }
  pump-motor: ${http(pump.url)}
  lung-motor: ${http(lung.url)}
`);
  const bridge = await rig.bridge();
  return { pump, lung, bridge };
}

/** A guard that watches all of them. */
export async function guardOfWhole(rig: GuardedRig, { pump, lung, bridge }: WholeRig): Promise<Program> {
  const guard = await rig.guardOf(bridge);
  await guard.until(`watching svc-pump (pid ${pump.pid})`);
  await guard.until(`watching svc-lung (pid ${lung.pid})`);
  return guard;
}
