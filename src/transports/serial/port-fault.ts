import { messageOf } from '../../lib/errors/coded-error.ts';
import { type TransportCode, TransportError } from '../transport-error.ts';

const RULES: { pattern: RegExp; code: TransportCode; remedy: string }[] = [
  {
    pattern: /no such (file|device)|ENOENT|ENODEV|ENXIO/i,
    code: 'port_absent',
    remedy: 'plug the device in or correct the address',
  },
  {
    pattern: /cannot lock|temporarily unavailable|EBUSY|resource busy/i,
    code: 'port_busy',
    remedy: 'another program holds it: stop that program',
  },
  {
    pattern: /permission denied|EACCES|EPERM/i,
    code: 'port_permission',
    remedy: 'add this user to the group of the device file (dialout for serial ports, i2c for I2C)',
  },
];

/** Turns what the operating system said at opening into a code of ours with a remedy. */
export function portFault(address: string, path: string, cause: unknown): TransportError {
  const said = messageOf(cause).replace(/^Error:\s*/, '');
  const rule = RULES.find(({ pattern }) => pattern.test(said));
  const remedy = rule?.remedy ?? 'check that the path is a port of the kind the address names';
  return new TransportError(rule?.code ?? 'port_failed', address, `cannot open ${path}: ${said}; ${remedy}`, {
    cause,
  });
}
