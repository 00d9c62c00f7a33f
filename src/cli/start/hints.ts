import { relative } from 'node:path';
import type { Listening } from './await-ready.ts';
import type { RuntimeFolder } from './runtime-folder.ts';

interface Place {
  bench: Listening;
  bridge: Listening;
  /** Of the API server. */
  serverUrl: string;
  folder: RuntimeFolder;
  cwd: string;
}

/** What can be done now, as lines to be copied. */
export function whatNext({ bench, bridge, serverUrl, folder, cwd }: Place): string {
  const shown = (path: string) => {
    const short = relative(cwd, path);
    return short === '' || short.startsWith('..') ? path : short;
  };
  return `
The rig is up. The page of the rig (docs/page.md): ${serverUrl}/

In another terminal, in this folder:

  export SVC_CONFIG_PATH=${shown(folder.config)} SVC_FIRMWARE_URL=${bridge.url} SVC_STATE_DIR=${shown(folder.state)}
  npx svcctl cmd 'GET AI01'                             one reading
  npx svcctl scenarios/pump-ramp.oql --mode execute     another scenario
  npx svcctl cmd 'SET pump 20 %' --for 5s               the pump for five seconds, then the safe state

Scenarios by HTTP (docs/api-server.md): the list, a run with its verdict, the runs so far:

  curl ${serverUrl}/api/scenarios
  curl -X POST '${serverUrl}/api/scenarios/valve-smoke/run?wait=60'
  curl ${serverUrl}/api/runs

The ADC services on the twins (stack or standalone), and the state of every service:

  export RIG_RUNTIME_DIR=${shown(folder.path)}
  npx svcctl profile stack
  npx svcctl services

What the outputs of the twins are, a valve module that falls silent (run again!), and all well again:

  curl ${bench.url}/bench/v1/outputs
  npx svcctl bench knobs modbus-io silent=true --bench-url ${bench.url}
  npx svcctl bench reset --bench-url ${bench.url}

Logs are in ${shown(folder.logs)}, the twins' trace is ${shown(folder.bench)}/trace.ndjson.
Ctrl-C stops everything and leaves only ${shown(folder.runs)} and a svc.yaml that was edited.`;
}
