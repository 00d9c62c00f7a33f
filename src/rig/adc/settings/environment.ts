import { StartRefusedError } from '../../../lib/http/exposure.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable's value; an empty one is how a unit file unsets it. */
export function variable(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

/** `SVC_STATE_DIR`: what services remember beyond their end. */
export function stateDirOf(env: Environment): string {
  return variable(env, 'SVC_STATE_DIR') ?? '/var/lib/svc';
}

/** A value that stops the start. @param remedy what to write instead */
export function refused(name: string, value: string, remedy: string): StartRefusedError {
  return new StartRefusedError(`${name} = ${JSON.stringify(value)}: ${remedy}`);
}
