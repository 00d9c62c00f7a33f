import type { Args } from './args.ts';
import { isOpen } from './args.ts';
import type { Form } from './form.ts';

export function parseExpectDevice(args: Args): Form | undefined {
  const [path, chip, kind, ...extra] = args.rest();
  if (!path) return malformed(args, 'a device path', "EXPECT_DEVICE '/dev/ttyACM1' 'CH343' 'serial'");
  args.extra(extra);
  return {
    form: 'expect-device',
    path: path.text,
    ...(chip ? { chip: chip.text } : {}),
    ...(kind ? { kind: kind.text } : {}),
  };
}

export function parseExpectBus(args: Args): Form | undefined {
  const path = args.take();
  args.end();
  return path
    ? { form: 'expect-i2c-bus', path: path.text }
    : malformed(args, 'a bus', "EXPECT_I2C_BUS '/dev/i2c-1'");
}

export function parseExpectChip(args: Args): Form | undefined {
  const example = "EXPECT_I2C_CHIP '0x48' 'ADS1115'";
  const [address, name, ...extra] = args.rest();
  args.extra(extra);
  const number = address ? Number(address.text) : Number.NaN;
  if (!address || !(isOpen(address.text) || (Number.isInteger(number) && number >= 0x03 && number <= 0x77)))
    return malformed(args, 'an I2C address from 0x03 to 0x77', example);
  return { form: 'expect-i2c-chip', address: address.text, ...(name ? { name: name.text } : {}) };
}

function malformed(args: Args, what: string, example: string): undefined {
  args.report('SCN261', `${args.command} needs ${what}, for example ${example}`, args.pos);
  return undefined;
}

export function parseApi(args: Args, method: 'GET' | 'POST' | 'PUT' | 'DELETE'): Form | undefined {
  const path = args.need('a path', `API_${method} '/api/v1/state'`);
  if (!path) return undefined;
  const fault = apiPathFault(path.text);
  if (fault) args.report('SCN260', `${path.text}: ${fault}`, path.pos);
  if (method === 'GET' || method === 'DELETE') args.end();
  const body = args
    .rest()
    .map((token) => (token.kind === 'bracket' ? `[${token.text}]` : token.text))
    .join(' ');
  if (body !== '' && !isOpen(body) && !isJson(body))
    args.report('SCN261', `the body is no JSON: ${body.slice(0, 60)}; quote it as one text`, args.pos);
  return { form: 'api', method, path: path.text, ...(body === '' ? {} : { body }) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Why a path may not be called, or undefined: only `/health` and `/api/...` of the two configured services, nothing
 * that leads to another host or out of the tree (language specification, section 12).
 */
export function apiPathFault(path: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return 'an absolute address is not allowed; write the path only';
  if (path.includes('\\')) return 'a backslash is not allowed in a path';
  if (path.includes('//')) return '// is not allowed in a path';
  if (/(^|\/|%2f|%5c)(\.|%2e){2}(\/|$|\?|#|%2f|%5c)/i.test(path)) return '.. is not allowed in a path';
  if (isOpen(path) && !path.startsWith('/')) return undefined;
  if (!/^\/(?:health|api\/)/.test(path)) return 'only /health and /api/... can be called';
  return undefined;
}

export function parseSaveJson(args: Args): Form | undefined {
  const name = args.need('a name', 'SAVE_JSON answer');
  args.end();
  return name && { form: 'save-json', name: name.text };
}

export function parseExport(args: Args): Form | undefined {
  const name = args.need('a name and a value', "SHELL_EXPORT RIG_MODE 'real'");
  if (!name) return undefined;
  const value = args.text('a value', `SHELL_EXPORT ${name.text} 'real'`);
  if (!isOpen(name.text) && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name.text)) {
    args.report(
      'SCN262',
      `"${name.text}" is no shell variable name; use letters, digits and _, not a digit first`,
      name.pos,
    );
    return undefined;
  }
  return value === undefined ? undefined : { form: 'export', name: name.text, value };
}
