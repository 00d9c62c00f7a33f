import { StartRefusedError } from './exposure.ts';

export interface BindOptions {
  host: string;
  port: number;
}

export interface BindSources {
  flags: { host?: string | undefined; port?: string | undefined };
  env: Readonly<Record<string, string | undefined>>;
  /** Prefix of `_HOST` and `_PORT`, for example `SVC_BRIDGE`. */
  prefix: string;
  defaultPort: number;
}

/** Flag beats variable beats default. @throws StartRefusedError */
export function bindOptions({ flags, env, prefix, defaultPort }: BindSources): BindOptions {
  const host = pick(['--host', flags.host], [`${prefix}_HOST`, env[`${prefix}_HOST`]], '127.0.0.1');
  const port = pick(['--port', flags.port], [`${prefix}_PORT`, env[`${prefix}_PORT`]], String(defaultPort));
  if (!/^[A-Za-z0-9.:_-]+$/.test(host.value)) {
    throw new StartRefusedError(`${host.name} ${JSON.stringify(host.value)} is not a host name or address`);
  }
  if (!/^\d{1,5}$/.test(port.value) || Number(port.value) > 65_535) {
    throw new StartRefusedError(`${port.name} ${JSON.stringify(port.value)} is not a port from 0 to 65535`);
  }
  return { host: host.value, port: Number(port.value) };
}

type Source = readonly [name: string, value: string | undefined];

function pick(flag: Source, variable: Source, byDefault: string): { name: string; value: string } {
  for (const [name, value] of [flag, variable]) {
    // An empty variable is how a unit file unsets one; an empty flag is a mistake.
    if (value !== undefined && (value !== '' || name.startsWith('--'))) return { name, value };
  }
  return { name: 'default', value: byDefault };
}
