import type { Command } from 'commander';
import { type ModbusRequest, unpackBits, unpackWords } from '../../devices/modbus-rtu/request.ts';
import { readConfig } from '../../diagnostics/config-report.ts';
import { reservedPorts } from '../../diagnostics/detect.ts';
import { consolePorts, hostPorts, isSamePort } from '../../diagnostics/host/serial-ports.ts';
import type { LineCombination } from '../../diagnostics/probe/combinations.ts';
import { type Exchange, exchange } from '../../diagnostics/probe/exchange.ts';
import { openPort, STOPPED } from '../../diagnostics/probe/modbus-probe.ts';
import { FREE_MS } from '../../diagnostics/probe/probe-ports.ts';
import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { stateDirOf } from '../../lib/liveness/live-address.ts';
import { acquireLock, LockHeldError } from '../../lib/lock/lock.ts';
import { serialLockKey } from '../../lib/lock/lock-key.ts';
import { OperatorStopFile } from '../../rig/safe-state/operator-stop-record.ts';
import { hexOf } from '../../transports/hex.ts';
import { loadSerialPort } from '../../transports/serial/serial-transport.ts';
import { diagnosticsPlace } from '../doctor/diagnostics-place.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import type { ProgramDefinition } from '../io/run-program.ts';
import { choiceList, LONGEST_S, numberList, secondsOption } from './list-options.ts';

/** The reads of Modbus; nothing here can write. */
const FUNCTIONS = {
  read_coils: { code: 0x01, most: 2000 },
  read_discrete_inputs: { code: 0x02, most: 2000 },
  read_holding_registers: { code: 0x03, most: 125 },
  read_input_registers: { code: 0x04, most: 125 },
} as const;
type FunctionName = keyof typeof FUNCTIONS;

interface Options {
  serial: string[];
  baud: number[];
  parity: LineCombination['parity'][];
  deviceId: number[];
  function: FunctionName[];
  address: number[];
  count: number[];
  /** Milliseconds. */
  timeout: number;
  json?: true;
}

interface Entry {
  serial_port: string;
  baudrate: number;
  parity: LineCombination['parity'];
  device_id: number;
  function: FunctionName;
  address: number;
  count: number;
  /** Seconds. */
  timeout: number;
}

interface Result extends Entry {
  /** The port could be opened. */
  open: boolean;
  ok: boolean;
  response?: readonly (boolean | number)[];
  kind?: 'open_failed' | 'timeout' | 'crc' | 'exception' | 'bad_reply';
  /** Of an exception. */
  code?: number;
  error?: string;
  /** What was received, hex. */
  bytes?: string;
}

const REFUSED = 4;
const HELD = 75;

/** `svc-modbus-probe`: reads a Modbus RTU device without the bridge. @param args as given: `--json` counts also when others are wrong */
export const modbusProbeProgram = (args: readonly string[]): ProgramDefinition<Given> => ({
  name: 'svc-modbus-probe',
  define,
  run: (options, io, stop) => probe(options, io, stop.soon),
  printsReport: () => args.includes('--json'),
  reportsUsage: true,
});

function define(program: Command): void {
  program
    .description('Reads from a Modbus RTU device without the bridge. It cannot write.')
    .requiredOption('--serial <device>', 'port, for example /dev/serial/by-id/...', textList)
    .option('--baud <n>', 'bit rate, 300 to 256000 (19200)', numberList('--baud', 300, 256_000))
    .option('--parity <letter>', 'N, E or O (N)', choiceList('--parity', ['N', 'E', 'O']))
    .option('--device-id <n>', 'unit id, 1 to 247 (1)', numberList('--device-id', 1, 247))
    .option(
      '--function <name>',
      `${Object.keys(FUNCTIONS).join(', ')} (read_coils)`,
      choiceList('--function', Object.keys(FUNCTIONS)),
    )
    .option('--address <n>', 'first coil or register, 0 to 65535 (0)', numberList('--address', 0, 0xffff))
    .option('--count <n>', 'how many: 1 to 2000 bits, 1 to 125 registers (1)', numberList('--count', 1, 2000))
    .option('--timeout <seconds>', `for each reply, 0.05 to ${LONGEST_S} (0.5)`, secondsOption)
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText(
      'after',
      `
Each option but --timeout takes several values, by commas or by repeating it; every combination is asked once.

Exit codes: 0 a device answered; 1 none did; 2 wrong usage; 4 the port belongs to another device of the rig;
75 another program holds the port, or an operator's stop is in force.`,
    );
}

type Given = Partial<Options> & Pick<Options, 'serial'>;

async function probe(given: Given, io: Io, signal: AbortSignal): Promise<number> {
  const options: Options = {
    ...{ baud: [19_200], parity: ['N'], deviceId: [1], function: ['read_coils'], address: [0], count: [1] },
    ...{ timeout: 500, ...given },
  };
  const entries = combinations(options);
  await refuseReserved(options.serial, io);
  const results: Result[] = [];
  // Its first load takes longer than a lock may be held. That it fails shows when a port is opened.
  await loadSerialPort().catch(() => {});
  for (const [index, entry] of entries.entries()) {
    // Between two requests, the program that closes the valves gets the port.
    if (index > 0) await io.clock.sleep(FREE_MS);
    signal.throwIfAborted();
    const result = await askUnderLock(entry, io);
    results.push(result);
    if (!options.json) io.stdout.write(`${resultText(result)}\n`);
  }
  const ok = results.some((one) => one.ok);
  if (options.json) io.stdout.write(`${JSON.stringify({ ok, results })}\n`);
  return ok ? EXIT.ok : EXIT.failed;
}

/** @throws CliError for a count that one of the functions does not take */
function combinations(options: Options): Entry[] {
  const entries = options.serial.flatMap((serial_port) =>
    options.baud.flatMap((baudrate) =>
      options.parity.flatMap((parity) =>
        options.deviceId.flatMap((device_id) =>
          options.function.flatMap((name) =>
            options.address.flatMap((address) =>
              options.count.map((count): Entry => {
                const line = { serial_port, baudrate, parity, device_id };
                return { ...line, function: name, address, count, timeout: options.timeout / 1000 };
              }),
            ),
          ),
        ),
      ),
    ),
  );
  for (const { function: name, count } of entries) {
    const { most } = FUNCTIONS[name];
    if (count <= most) continue;
    const message = `--count ${count} is more than ${name} can read: give 1 to ${most}`;
    throw new CliError('usage', message);
  }
  return entries;
}

async function refuseReserved(serial: readonly string[], io: Io): Promise<void> {
  const { host, env } = diagnosticsPlace(undefined, io);
  const config = readConfig({ env, cwd: io.cwd, systemPath: host.path('/etc/svc/svc.yaml') });
  const reserved = reservedPorts(host, env, 'loaded' in config ? config.loaded : undefined);
  const ports = await hostPorts(host, reserved);
  const others: [string | undefined, string][] = [
    [reserved.uartModule, 'port of the UART ADC module (UARTADC_SERIAL_PORT)'],
    [reserved.pump, 'port of the pump'],
    ...reserved.others.map(({ path, owner }): [string, string] => [path, `port of ${owner} in svc.yaml`]),
    ...ports.map(({ device, reserved: why }): [string, string] => [
      device,
      why === 'on-board UART' ? '' : (why ?? ''),
    ]),
    ...consolePorts(host),
  ];
  for (const path of serial) {
    const [, why] =
      others.find(([one, reason]) => one !== undefined && reason !== '' && isSamePort(host, one, path)) ?? [];
    if (why === undefined) continue;
    throw new CliError(
      'port_reserved',
      `${path} is not probed: ${why}; name the port of the Modbus device`,
      REFUSED,
    );
  }
}

async function takeLock(serial: string, io: Io) {
  const { host } = diagnosticsPlace(undefined, io);
  const since = new Date(io.clock.now()).toISOString();
  const identity = () => ({ service: 'svc-modbus-probe', pid: process.pid, port: null, since });
  try {
    return await acquireLock({ key: serialLockKey(host.path(serial)), identity, clock: io.clock });
  } catch (fault) {
    if (fault instanceof LockHeldError)
      throw new CliError(fault.code, messageOf(fault), HELD, { cause: fault });
    throw new CliError('lock_failed', messageOf(fault), EXIT.error, { cause: fault });
  }
}

/** @throws CliError `held_by_other` also when someone took the port meanwhile; `operator_stop` */
async function askUnderLock(entry: Entry, io: Io): Promise<Result> {
  const { env } = diagnosticsPlace(undefined, io);
  if (new OperatorStopFile(stateDirOf(env)).read()) throw new CliError('operator_stop', STOPPED, HELD);
  const lock = await takeLock(entry.serial_port, io);
  try {
    return await ask(entry, io);
  } finally {
    await lock.release();
  }
}

async function ask(entry: Entry, io: Io): Promise<Result> {
  const { host } = diagnosticsPlace(undefined, io);
  const transport = openPort(host, host.path(entry.serial_port), entry);
  try {
    await transport.open();
  } catch (fault) {
    if (fault instanceof CodedError && fault.code === 'port_busy')
      throw new CliError('held_by_other', messageOf(fault), HELD, { cause: fault });
    return { ...entry, open: false, ok: false, kind: 'open_failed', error: messageOf(fault) };
  }
  try {
    const { code } = FUNCTIONS[entry.function];
    const request: ModbusRequest = {
      function: code,
      unit: entry.device_id,
      address: entry.address,
      count: entry.count,
    };
    const reply = await exchange(transport, request, { timeoutMs: entry.timeout * 1000, clock: io.clock });
    return { ...entry, open: true, ...outcome(entry, reply) };
  } catch (fault) {
    return { ...entry, open: true, ok: false, kind: 'open_failed', error: messageOf(fault) };
  } finally {
    await transport.close();
  }
}

function outcome(
  { function: name, count }: Entry,
  { kind, data, exception, bytes, reason }: Exchange,
): Omit<Result, keyof Entry | 'open'> {
  const received = bytes.length === 0 ? {} : { bytes: hexOf(bytes) };
  if (kind === 'answer' && data) {
    const isBits = FUNCTIONS[name].code <= 0x02;
    return { ok: true, response: isBits ? unpackBits(data, count) : unpackWords(data) };
  }
  if (kind === 'exception')
    return {
      ok: false,
      kind: 'exception',
      ...(exception === undefined ? {} : { code: exception }),
      error: `Modbus exception ${exception}${exceptionText(exception)}`,
      ...received,
    };
  if (kind === 'silence')
    return { ok: false, kind: 'timeout', error: 'no reply; check unit id, bit rate, parity and A/B' };
  if (kind === 'garbage' && reason === 'crc')
    return { ok: false, kind: 'crc', error: 'CRC mismatch', ...received };
  const error =
    kind === 'echo'
      ? 'only the request came back: the adapter works, no device answers'
      : 'the bytes received are no reply to this request';
  return { ok: false, kind: 'bad_reply', error, ...received };
}

const EXCEPTIONS = ['', ' (illegal function)', ' (illegal address)', ' (illegal value)', ' (device failure)'];
const exceptionText = (code = 0): string => EXCEPTIONS[code] ?? '';

function resultText({
  serial_port,
  baudrate,
  parity,
  device_id,
  function: name,
  address,
  ok,
  response,
  error,
}: Result): string {
  const place = `${serial_port} ${baudrate} 8${parity}1 id ${device_id} ${name} ${address}`;
  return `${place}: ${ok ? (response ?? []).map(Number).join(' ') : error}`;
}

/** Values by commas, and of earlier options of the same name. */
function textList(text: string, previous: readonly string[] = []): string[] {
  return [...previous, ...text.split(',').map((one) => one.trim())].filter((one) => one !== '');
}
