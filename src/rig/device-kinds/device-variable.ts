import { StartRefusedError } from '../../lib/http/exposure.ts';
import { parseAddress } from '../../transports/address.ts';

/** @throws StartRefusedError unless the value is an address of one of these schemes */
export function mustBeAddress(name: string, value: string, schemes: readonly string[], remedy: string): void {
  let scheme: string | undefined;
  try {
    ({ scheme } = parseAddress(value));
  } catch {
    // Reported below, with the name of the variable.
  }
  if (scheme === undefined || !schemes.includes(scheme)) refuseVariable(name, value, remedy);
}

/** @throws StartRefusedError */
export function refuseVariable(name: string, value: string, remedy: string): never {
  throw new StartRefusedError(`${name} = ${JSON.stringify(value)} must be ${remedy}`);
}
