import process from 'node:process';
import { ApplianceError } from '../../appliance/appliance-error.ts';
import { type Places, placesOf } from '../../appliance/places.ts';
import { runProgram } from '../../appliance/run-program.ts';
import { confirmUpdate } from '../../appliance/update/confirm-update.ts';
import { installUpdate } from '../../appliance/update/install-update.ts';
import { runningSlot, slotOf } from '../../appliance/update/slots.ts';
import { startUpdate, type WrittenUpdate, withdrawStart } from '../../appliance/update/start-update.ts';
import { readUpdateRecord } from '../../appliance/update/update-record.ts';
import { whileWritable } from '../../appliance/while-writable.ts';
import { textOf } from '../../appliance/write-whole.ts';
import { type AdcService, PROFILE_NAMES, servicesOf } from '../../rig/profiles/profile.ts';
import { type ListeningService, RIG_PORTS } from '../../rig/profiles/rig-services.ts';
import { whyNoAnswer } from '../../transports/http/http-fault.ts';
import { exchangeJson } from '../../transports/index.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';

export interface UpdateOptions {
  allowDowngrade?: true;
  /** Commander's name of `--no-restart`. */
  restart: boolean;
  start?: true;
  status?: true;
  confirm?: true;
}

const LIMIT_MS = 3000;
const MAX_BYTES = 1_000_000;

/**
 * `svcctl update`: writes another version of the appliance to the slot that is not running, and starts it on trial.
 * @returns 0 done; @throws CliError exit code 4 when it is refused, 3 when it failed
 */
export async function updateCommand(
  path: string | undefined,
  options: UpdateOptions,
  io: Io,
): Promise<number> {
  if (options.status) return status(io);
  if (options.confirm) return confirm(io);
  if (path === undefined && !options.start) throw usageError('which file? svcctl update FILE');
  if (path !== undefined && options.start)
    throw usageError('--start starts what was written before: svcctl update --start, without a file');
  const places = placesOf(io.env);
  if (process.getuid?.() !== 0)
    throw new CliError(
      'no_privilege',
      'the update is refused, nothing was written: it needs root: sudo svcctl update FILE',
      EXIT.refused,
    );
  try {
    const around = { places, clock: io.clock, whyInUse: () => whyInUse(io) };
    const written = await whileWritable(places, () =>
      path === undefined
        ? startUpdate(around)
        : installUpdate({
            ...{ ...around, path },
            mayBeOlder: options.allowDowngrade === true,
            say: (line) => io.stderr.write(`svcctl: ${line}\n`),
          }),
    );
    await refuseStartInUse(written, options, io, places);
    io.stdout.write(
      `version ${written.version} is in slot ${written.slot}; it is confirmed when the rig was healthy for 60 s after its start\n`,
    );
  } catch (fault) {
    if (!(fault instanceof ApplianceError)) throw fault;
    throw new CliError(
      fault.code,
      fault.message,
      fault.code === 'update_refused' ? EXIT.refused : EXIT.error,
    );
  }
  if (options.restart) runProgram('systemctl', ['reboot']);
  return EXIT.ok;
}

/** Minutes have passed since the rig was seen to be free: a run may have begun. @throws CliError, then nothing is started */
async function refuseStartInUse(
  { version, slot, whyNotStarted }: WrittenUpdate,
  { restart }: UpdateOptions,
  io: Io,
  places: Places,
): Promise<void> {
  let why = whyNotStarted;
  if (why === undefined && restart) {
    why = await whyInUse(io);
    if (why !== undefined) withdrawStart({ places, clock: io.clock });
  }
  if (why !== undefined)
    throw new CliError(
      'update_not_started',
      `version ${version} is written to slot ${slot} and not started: ${why}; then sudo svcctl update --start`,
      EXIT.refused,
    );
}

type Answer = Readonly<Record<string, unknown>>;

/** GET of a service on this machine. @throws TransportError */
async function ask(port: string | number, path: string, { clock }: Io): Promise<Answer> {
  const url = `http://127.0.0.1:${port}${path}`;
  const { value } = await exchangeJson(url, { status: 200, timeoutMs: LIMIT_MS, maxBytes: MAX_BYTES, clock });
  return typeof value === 'object' && value !== null ? (value as Answer) : {};
}

const portOf = (name: ListeningService, env: Io['env']): string | number => {
  const [port, variable] = RIG_PORTS[name];
  return env[variable] || port;
};

/** Why the rig may be in use: a bridge that hangs keeps an update from its start. */
async function whyInUse(io: Io): Promise<string | undefined> {
  const { known, unknown } = await useOf(io);
  return known ?? unknown;
}

/** By a lease, by which runs and people command the rig, or by hand. Where nothing listens nothing can run. */
async function useOf(io: Io): Promise<{ known?: string; unknown?: string }> {
  const bridge = portOf('svc-bridge', io.env);
  try {
    const { held, owner } = await ask(bridge, '/api/v1/lease', io);
    if (held === true)
      return {
        known: `${String(owner ?? 'somebody')} has the lease of the rig: end the run, or wait (svcctl lease)`,
      };
    const { active } = await ask(bridge, '/api/v1/hold', io);
    return active === true
      ? { known: 'actuators are on without a lease: switch them off, or svcctl stop (svcctl hold)' }
      : {};
  } catch (thrown) {
    const why = whyNoAnswer(thrown);
    return /refused/i.test(why)
      ? {}
      : {
          unknown: `whether the rig is in use is unknown, the bridge does not answer (${why}): svcctl services`,
        };
  }
}

function status({ env, stdout }: Io): number {
  const places = placesOf(env);
  const record = readUpdateRecord(places);
  const running = runningSlot(places).slot;
  const confirmed = slotOf(places, 'config.txt');
  stdout.write(
    `slot ${running} runs${running === confirmed ? '' : ', on trial: it is confirmed after 60 s of health'}\n`,
  );
  if (record)
    stdout.write(
      `last update: ${record.version} (from ${record.from_version}), ${record.state.replace('_', ' ')} at ${record.at}${record.why ? `: ${record.why}` : ''}${record.state === 'written' ? ': sudo svcctl update --start starts it' : ''}\n`,
    );
  return EXIT.ok;
}

async function confirm(io: Io): Promise<number> {
  const places = placesOf(io.env);
  const end = await confirmUpdate({
    ...{ places, clock: io.clock },
    whyNotHealthy: () => whyNotHealthy(io),
    whyInUse: async () => (await useOf(io)).known,
    log: (line) => io.stderr.write(`svcctl: ${line}\n`),
  });
  if (end === 'restart') runProgram('systemctl', ['reboot']);
  return EXIT.ok;
}

/** Every service of the rig and of its profile responds and is well, the rig is proven safe, and a guard watches. */
async function whyNotHealthy(io: Io): Promise<string | undefined> {
  const { env } = io;
  const places = placesOf(env);
  const profile = textOf(places.at('/etc/svc/profile'));
  const adc = PROFILE_NAMES.find((name) => name === profile);
  const services: [string, string | number][] = [
    ...(Object.keys(RIG_PORTS) as ListeningService[]).map((name): [string, string | number] => [
      name,
      portOf(name, env),
    ]),
    ...(adc ? servicesOf(adc) : []).map((name): [string, string | number] => [name, ADC_PORTS[name]]),
  ];
  for (const [name, port] of services) {
    const why = await ask(port, '/health', io).then(
      ({ ok, mode }) =>
        ok !== true ? 'is not well' : mode === 'mock' ? 'runs in mock mode, without devices' : undefined,
      whyNoAnswer,
    );
    if (why !== undefined) return `${name} ${why}`;
  }
  const { guard, not_safe, safe_state } = await ask(portOf('svc-bridge', env), '/health', io).catch(
    (): Answer => ({}),
  );
  if ((guard as Answer | undefined)?.watching !== true) return 'no guard watches the bridge';
  return not_safe === null && safe_state ? undefined : `the rig is not proven safe: ${String(not_safe)}`;
}

/** Where the appliance has them: rig.env of a card changes none. */
const ADC_PORTS: Readonly<Record<AdcService, number>> = {
  'svc-adc-usb': 8212,
  'svc-adc-uart': 8213,
  'svc-adc-stack': 8214,
};
