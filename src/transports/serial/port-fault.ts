import { reasonOf } from '../../lib/errors/reason.ts';
import { permissionFault } from '../access-fault.ts';
import { type TransportCode, TransportError } from '../transport-error.ts';
import { findHolder, type Holder, holderName } from './find-holder.ts';

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
  { pattern: /permission denied|not permitted|EACCES|EPERM/i, code: 'port_permission', remedy: '' },
];

/** Turns what the operating system said at opening into a code of ours with a remedy. */
export function portFault(address: string, path: string, cause: unknown): TransportError {
  const said = ownWords(reasonOf(cause), path);
  const rule = RULES.find(({ pattern }) => pattern.test(said));
  if (rule?.code === 'port_permission') return permissionFault(address, path, cause);
  const remedy = rule?.remedy ?? 'check that the path is a port of the kind the address names';
  return new TransportError(
    rule?.code ?? 'port_failed',
    address,
    `cannot open ${path} (${said}); ${remedy}`,
    {
      cause,
    },
  );
}

/** serialport reports "Error: No such file or directory, cannot open /dev/x"; the sentence here has that part already. */
function ownWords(said: string, path: string): string {
  const words = said.replace(/^Error:?\s*/, '').replace(`, cannot open ${path}`, '');
  return words.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/** Like `portFault`, and a port that is held gets the name of its holder. */
export async function openFault(address: string, path: string, cause: unknown): Promise<TransportError> {
  const fault = portFault(address, path, cause);
  if (fault.code !== 'port_busy') return fault;
  const holder = await findHolder(path);
  const message = `${path} is held by ${who(holder)}; stop that program to free the port`;
  return new TransportError('port_busy', address, message, { cause });
}

function who(holder: Holder | undefined): string {
  if (!holder) return 'an unknown program';
  const named = holderName(holder);
  return holder.locked ? named : `an unknown program; ${named} has it open`;
}
