import { relative } from 'node:path';
import type { Ready } from './await-ready.ts';
import type { RuntimeFolder } from './runtime-folder.ts';

interface Place {
  bench: Ready;
  bridge: Ready;
  folder: RuntimeFolder;
  cwd: string;
}

/** What can be done now, as lines to be copied. */
export function whatNext({ bench, bridge, folder, cwd }: Place): string {
  const shown = (path: string) => {
    const short = relative(cwd, path);
    return short === '' || short.startsWith('..') ? path : short;
  };
  return `
The rig is up. In another terminal, in this folder:

  export SVC_CONFIG_PATH=${shown(folder.config)} SVC_FIRMWARE_URL=${bridge.url}
  npx svcctl cmd 'GET AI01'
  npx svcctl scenarios/pump-ramp.oql --mode execute
  npx svcctl cmd 'SET pump 20 %' --for 5s

  curl ${bench.url}/bench/v1/outputs                        what the twins' outputs are
  curl -X PATCH -d '{"silent":true}' ${bench.url}/bench/v1/modbus-io/knobs
                                                            a valve module that is silent: run again
  curl -X POST ${bench.url}/bench/v1/reset                  all well again

Logs are in ${shown(folder.logs)}, the twins' trace is ${shown(folder.bench)}/trace.ndjson.
Ctrl-C stops everything and leaves only ${shown(folder.runs)}.`;
}
