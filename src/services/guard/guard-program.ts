import { join } from 'node:path';
import process from 'node:process';
import { Command, CommanderError } from 'commander';
import { systemClock } from '../../lib/clock/clock.ts';
import { ConfigError } from '../../lib/config/config-error.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { guardAddress, rigKey, stateDirOf } from '../../lib/liveness/live-address.ts';
import { LockHeldError, type LockHolder } from '../../lib/lock/lock.ts';
import { logFilesOf } from '../../lib/log/log-files.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { onUncaught, programLog } from '../../lib/log/program-log.ts';
import { type SystemdNotifier, systemdNotifier } from '../../lib/systemd-notify.ts';
import { version } from '../../lib/version.ts';
import type { ConfigSources } from '../../rig/configuration/load-config.ts';
import { recordRunningRig } from '../../rig/configuration/running-rig.ts';
import type { Config } from '../../rig/configuration/types.ts';
import { GUARD, guardLockKey } from '../../rig/guard/bridge-life.ts';
import { Guard } from '../../rig/guard/guard.ts';
import { GuardPair } from '../../rig/guard/guard-pair.ts';
import { type GuardReport, isStopped } from '../../rig/guard/guard-report.ts';
import { openGuardSocket } from '../../rig/guard/guard-socket.ts';
import { PARTNER_MARK } from '../../rig/guard/partner-mark.ts';
import { LedPulseLine } from '../../rig/guard/pulse-led.ts';
import { rehearseOf } from '../../rig/guard/rehearsals.ts';
import { newStopId, OperatorStopLatch, type StopRequest } from '../../rig/safe-state/operator-stop.ts';
import { OperatorStopFile } from '../../rig/safe-state/operator-stop-record.ts';
import type { StepReport } from '../../rig/safe-state/report.ts';
import { askedOrLeading } from './ask-other-guard.ts';
import { type GuardConfig, keepGoodConfig, loadToGuard, loadValid } from './last-good-config.ts';
import { makeSafeAtBoot } from './safe-at-boot.ts';
import { startPartner } from './start-partner.ts';
import { StopService } from './stop-service.ts';

const EXIT = { safe: 0, failed: 1, usage: 2, unsafe: 3, held: 75 } as const;
/** A safe state that is under way at the end is finished, also one of the other guard; it is bounded by 5 s. */
const END_LIMIT_MS = 9000;
/** For the life line of a bridge, where there is one. */
const LOOK_MS = 300;
const ONCE_POLL_MS = 50;
const IDLE_MS = 3_600_000;
const VALID_POLL_MS = 1000;

/** The guard as the program of this process. Exit codes: 0 ended or safe, 1 failed, 2 usage, 3 not safe, or the stop is not kept (`--once`), 75 held (`--once`). */
export function guardProgram(): void {
  main().catch((thrown: unknown) => {
    if (thrown instanceof CommanderError) process.exit(thrown.exitCode === 0 ? 0 : EXIT.usage);
    process.stderr.write(`${GUARD}: ${messageOf(thrown).replace(/\s*\n\s*/g, ' ')}\n`);
    if (thrown instanceof LockHeldError) process.exit(EXIT.held);
    process.exit(thrown instanceof ConfigError ? EXIT.usage : EXIT.failed);
  });
}

async function main(): Promise<void> {
  const command = new Command(GUARD)
    .description('Guard: makes the rig safe when the bridge, or a service that owns an actuator, cannot')
    .option('--once', 'make the rig safe now, print the report as JSON and end')
    .option('--boot', 'with --once: the safe state of a machine that starts; no stop remains in force')
    .option('--by <name>', 'with --once: name of the caller, for messages', `${GUARD} --once`)
    .option('--id <id>', 'with --once: of this stop, where others are asked for it too')
    .version(version)
    .allowExcessArguments(false)
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, `${GUARD}: `)) })
    .exitOverride();
  command.parse();
  const { once, boot, ...stopAsked } = command.opts<{ once?: true; boot?: true; by: string; id?: string }>();
  if (boot && !once) command.error(`--boot needs --once: ${GUARD} --once --boot`);
  const { env } = process;
  const logger = programLog(GUARD, env, systemClock);
  const stateDir = stateDirOf(env);
  const mustAct = once === true || env[PARTNER_MARK] !== undefined;
  const sources = { env, cwd: process.cwd() };
  let loaded = loadToGuard(sources, mustAct, (fault) => logger.error(fault));
  const { config } = loaded;
  const rig = rigKey(stateDir);
  const mode = config.hardwareMode;
  const since = new Date(systemClock.now()).toISOString();
  const identity = (): LockHolder => ({ service: GUARD, pid: process.pid, port: null, since });

  if (boot && mode === 'mock') {
    logger.info('mock mode: no device is driven, there is nothing to make safe before the services start');
    return;
  }
  if (once && mode === 'mock')
    throw new Error(
      'the hardware mode is mock here, no device is driven: set SVC_HARDWARE_MODE=real and the variables of the rig',
    );
  const operatorStop = new OperatorStopLatch({
    record: new OperatorStopFile(stateDir),
    clock: systemClock,
    randomId: newStopId,
    log: (line) => logger.warn(line),
  });
  const hasPartner = !once && mode === 'real' && env.SVC_GUARD_PARTNER !== '0';
  const systemd = once ? undefined : await reportsToSystemd(logger);
  let isSupplyOn = false;
  const pair = new GuardPair({
    ...{ stateDir, clock: systemClock, logger, identity, operatorStop },
    ...(hasPartner ? { startPartner } : {}),
    isSupplyOn: () => isSupplyOn,
    onStandby: () => systemd?.ready(),
  });
  if (boot) {
    if (!(await pair.leadAlone())) return refuseAtBoot();
  } else if (once) {
    // Two that make safe at once would only take the locks from each other.
    const report = await askedOrLeading(pair, guardAddress(rig), stopAsked, guardLockKey(stateDir));
    if (report) return finish(report);
  }
  const rehearse = once ? 'never' : rehearseOf(env);
  const onSupply = (whyOff: string | undefined) => {
    isSupplyOn = whyOff === undefined;
    pair.tellSupply();
  };
  const around = { env, stateDir, clock: systemClock, logger, identity, rehearse, operatorStop, onSupply };
  const stop = (asked: StopRequest) => guard.operatorStop(asked);
  const stops = new StopService({ env, stateDir, clock: systemClock, logger, stop });
  const onStep = (step: StepReport) => stops.stepEnded(step);
  let guard = new Guard({
    ...{ ...around, config, onStep, isPartner: !once, isOnce: once === true },
    pulseLine: pulseLineOf(config, env),
  });
  let leads = false;
  const end = () => {
    operatorStop.close();
    return guard.stop();
  };
  // In mock mode there is nothing to guard: the lock is for the guard of the real rig, which this one does not end either.
  const isMock = mode === 'mock';
  // Under systemd each of the two is a unit of its own: whoever stops one of them decides on the other.
  const endsAlone = isMock || systemd !== undefined;
  endInOrder({ stop: end, endBoth: endsAlone ? async () => {} : () => pair.endBoth(), logger, systemd });
  if (boot) return finishBoot(guard);
  if (once) return finish(await makeSafeOnce(guard, stopAsked));

  if (isMock) {
    logger.info('mock mode: no device is driven, there is nothing to guard');
    logFilesOf(env, config.logMaxMb, systemClock).start();
    idle();
    systemd?.beatWhile(() => true);
    systemd?.ready();
    return sayReady({ mode, rig });
  }
  // What is lost before this process may act is known to it by then.
  guard.start();
  systemd?.beatWhile(() => guard.isWatching);
  if (loaded.isFaulty)
    whenValid(sources, (valid) => {
      logger.info(`${valid.path ?? 'the configuration'} is valid again and is used from now on`);
      const pulseLine = pulseLineOf(valid.config, env);
      const next = new Guard({ ...around, config: valid.config, isPartner: true, onStep, pulseLine });
      const taken = () => {
        loaded = valid;
        guard = next;
      };
      void guard.handOver(next, taken).then(() => {
        if (leads && guard === next) record(stateDir, valid, logger);
      });
    });
  await pair.lead();
  leads = true;
  // What was lost meanwhile waits for no address, which the one before may still be giving back.
  guard.lead(pair.suppliedUntil);
  stops.open();
  logFilesOf(env, config.logMaxMb, systemClock).start();
  // Of a faulty one, what the last guard recorded still holds.
  if (!loaded.isFaulty) record(stateDir, loaded, logger);
  // It holds its place: what is still to come is its address for stops, which the one before may still hold.
  systemd?.ready();
  await takeCommands(guardAddress(rig), stop, logger);
  sayReady({ mode, rig });
}

/** A guard that cannot report to systemd guards all the same, until systemd ends it for its silence. */
async function reportsToSystemd(logger: Logger): Promise<SystemdNotifier | undefined> {
  const log = (line: string) => logger.error(line);
  try {
    return await systemdNotifier({ env: process.env, clock: systemClock, log });
  } catch (fault) {
    log(`the state of this guard cannot be reported to systemd: ${messageOf(fault)}`);
    return undefined;
  }
}

/** `SVC_HOST_ROOT` has another `/sys`. */
const pulseLineOf = ({ pulse }: Config, { SVC_HOST_ROOT: root }: typeof process.env) =>
  pulse && new LedPulseLine(pulse, join(root || '/', 'sys'));

function sayReady(about: { mode: string; rig: string }): void {
  process.stdout.write(`${JSON.stringify({ ready: true, service: GUARD, pid: process.pid, ...about })}\n`);
}

/** For a stop from elsewhere, and for a guard that finds a faulty file. Never throws. */
function record(stateDir: string, loaded: GuardConfig, logger: Logger): void {
  const { env } = process;
  const { config, path } = loaded;
  const started = { writer: GUARD, stateDir, env, config: path, mode: config.hardwareMode } as const;
  recordRunningRig(started).catch((fault: unknown) =>
    logger.warn(`what this rig was started with cannot be recorded: ${reasonOf(fault)}`),
  );
  try {
    keepGoodConfig(stateDir, loaded);
  } catch (fault) {
    logger.warn(`the configuration cannot be kept for a time when it is faulty: ${reasonOf(fault)}`);
  }
}

/** Reads a faulty file again and again. @param work called once, when it is valid */
function whenValid(sources: ConfigSources, work: (valid: GuardConfig) => void): void {
  systemClock.after(VALID_POLL_MS, () => {
    try {
      work({ ...loadValid(sources), isFaulty: false });
    } catch (fault) {
      if (!(fault instanceof ConfigError)) throw fault;
      whenValid(sources, work);
    }
  });
}

/** A process that ends gives its addresses back one after the other, the lock not last. Who cannot take commands yet guards all the same. */
async function takeCommands(
  address: string,
  stop: (asked: StopRequest) => Promise<GuardReport>,
  logger: Logger,
): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      await openGuardSocket(address, stop);
      return;
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw fault;
      if (isFirst)
        logger.warn('another process holds the address for stops: this guard takes none until it is free');
      await systemClock.sleep(ONCE_POLL_MS);
    }
  }
}

async function makeSafeOnce(guard: Guard, asked: StopRequest): Promise<GuardReport> {
  guard.start();
  const until = systemClock.monotonic() + LOOK_MS;
  while (!guard.hasBridge && systemClock.monotonic() < until) await systemClock.sleep(10);
  const report = await guard.operatorStop(asked);
  await guard.stop();
  return report;
}

function refuseAtBoot(): never {
  process.stderr.write(
    `${GUARD}: another guard of this rig runs, nothing was done: --boot is for a machine that starts, svcctl stop for a running rig\n`,
  );
  process.exit(EXIT.held);
}

/** It watches nothing: what no service has started yet is not lost. */
async function finishBoot(guard: Guard): Promise<void> {
  const report = await makeSafeAtBoot(guard, systemClock);
  await guard.stop();
  finish(report);
}

function finish(report: GuardReport): void {
  process.stdout.write(`${JSON.stringify(report)}\n`, () =>
    process.exit(isStopped(report) ? EXIT.safe : EXIT.unsafe),
  );
}

/** A guard that has nothing to guard stays, so that its supervisor does not start it again and again. */
function idle(): void {
  systemClock.after(IDLE_MS, idle);
}

interface OrderlyEnd {
  stop: () => Promise<void>;
  endBoth: () => Promise<void>;
  logger: Logger;
  systemd: SystemdNotifier | undefined;
}

/** The end of the guard moves nothing; a safe state under way is finished. A signal ends both of a pair. */
function endInOrder({ stop, endBoth, logger, systemd }: OrderlyEnd): void {
  let isEnding = false;
  const end = (code: number, both = false) => {
    if (isEnding) return;
    isEnding = true;
    systemd?.stopping();
    systemClock.after(END_LIMIT_MS, () => process.exit(EXIT.failed));
    Promise.all([stop(), both ? endBoth() : undefined]).then(
      () => process.exit(code),
      () => process.exit(EXIT.failed),
    );
  };
  process.on('SIGTERM', () => end(EXIT.safe, true));
  process.on('SIGINT', () => end(EXIT.safe, true));
  onUncaught(logger, () => end(EXIT.failed));
}
