import { type CalibrationRecord, keepRecord } from '../../diagnostics/calibration/calibration-record.ts';
import { evaluate, type MeasuredPoint, type Pass } from '../../diagnostics/calibration/evaluate.ts';
import { calibrationPage } from '../../diagnostics/calibration/report-page.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { stateDirOf } from '../../lib/liveness/live-address.ts';
import { type ConfigEdit, changeConfigFile } from '../../rig/configuration/edit-config.ts';
import { loadRigConfig } from '../../rig/configuration/load-rig-config.ts';
import { registryOf } from '../../rig/registry/registry-of.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { Questions } from '../io/questions.ts';
import { BridgeCalls } from '../lease/bridge-calls.ts';
import { interruption } from '../run/interruption.ts';
import { rigEnvironment } from '../stop/rig-environment.ts';
import { type Ask, type CalibrateOptions, type CalibrationOrder, orderOf } from './options.ts';
import { byHand, byPump, type PressureSource } from './pressure-source.ts';
import { askedReference, benchReference, type Reference, shown } from './reference.ts';
import { planLines, resultLines } from './result-lines.ts';
import { SensorInput } from './sensor-input.ts';

/**
 * `svcctl calibrate`: compares a sensor with a reference standard, and puts the calibration that follows into `svc.yaml`.
 * @returns 0 when it is in use, or measured with --measure-only; 1 when it is refused
 * @throws CliError, ConfigError; svc.yaml is unchanged then, and the rig is safe
 */
export async function calibrateCommand(name: string, options: CalibrateOptions, io: Io): Promise<number> {
  const say = (text: string) => void io.stderr.write(text);
  const stop = interruption(() => ({ ending: () => {}, say: (text) => say(`\n${text}\n`) }));
  const lost = new AbortController();
  const signal = AbortSignal.any([stop.signal, lost.signal]);
  try {
    return await calibrated(name, options, io, { say, signal, lost: (reason) => lost.abort(reason) });
  } finally {
    stop.release();
  }
}

interface Talk {
  say: (text: string) => void;
  signal: AbortSignal;
  lost: (reason: unknown) => void;
}

async function calibrated(name: string, options: CalibrateOptions, io: Io, talk: Talk): Promise<number> {
  const { signal } = talk;
  const rig = configured(name, io);
  const questions = new Questions(io, signal);
  const ask: Ask = (question) => questions.ask(question);
  try {
    return await withAnswers(rig, options, io, talk, ask);
  } finally {
    questions.close();
  }
}

async function withAnswers(
  rig: Configured,
  options: CalibrateOptions,
  io: Io,
  talk: Talk,
  ask: Ask,
): Promise<number> {
  const { say, signal } = talk;
  const order = await orderOf(rig.sensor, options, rig.old?.unit, ask, io);
  if (options.pump && options.valve === undefined)
    throw usageError('--pump needs --valve: name the valve through which it blows');
  say(`${planLines(rig.sensor, order, options).join('\n')}\n`);
  if (options.pump) await consent('The pump and a valve will be switched.', options, ask, io);
  const bridge = new BridgeCalls(options.firmwareUrl, io);
  const input = new SensorInput(rig.sensor, bridge, io);
  const reference = options.benchReference
    ? benchReference(
        rig.sensor,
        order.unit,
        options.benchUrl ?? io.env.SVC_BENCH_URL ?? 'http://127.0.0.1:8290',
        io,
      )
    : askedReference(order.unit, options.pump === true, ask, say);
  const source = options.pump ? await pumpOf(bridge, order, options, io, talk) : byHand;
  const measured = await measureAll(order, { input, reference, source, talk });
  const record = recordOf(rig, order, measured, { isBench: input.isBench, nowMs: io.clock.now() });
  const path = await kept(record, io);
  const { refusals } = record.evaluation;
  const isUsable = refusals.length === 0;
  const wanted = isUsable && !options.measureOnly;
  // What cannot be shown is not put into use: the reader of the result may be gone.
  if (!options.json) await written(io, `${resultLines(record, path).join('\n')}\n`);
  if (wanted) await consent(`Put ${record.proposed.id} into use for ${rig.sensor}?`, options, ask, io);
  signal.throwIfAborted();
  if (options.json)
    await written(io, `${JSON.stringify({ ok: isUsable, record: path, ...record, in_use: wanted })}\n`);
  if (wanted) {
    await changeConfigFile(rig.path, editsOf(rig.key, record), {
      service: 'svcctl calibrate',
      clock: io.clock,
    });
    say(`${rig.path}: ${rig.sensor} is calibrated by ${record.proposed.id} now, due ${order.due}\n`);
  } else say(`${rig.path} was not changed\n`);
  return isUsable ? EXIT.ok : EXIT.failed;
}

/** The sensor in `svc.yaml`. @throws CliError exit code 2, ConfigError */
function configured(name: string, io: Io) {
  const { config, path } = loadRigConfig({ env: rigEnvironment(io), cwd: io.cwd });
  if (path === undefined)
    throw new CliError(
      'no_config',
      'calibrations stand in svc.yaml, and there is none: name it by SVC_CONFIG_PATH',
    );
  const registry = registryOf(config);
  const found = registry.sensor(name);
  if (found?.unit !== 'V')
    throw usageError(
      `"${name}" is not a voltage input of this rig: svcctl calibration list and docs/sensors.md name them`,
    );
  const isSame = (other: string) => registry.sensor(other)?.id === found.id;
  const key =
    Object.keys(config.sensors).find(isSame) ?? ['ai01', 'ai02', 'ai03', 'ai04'].find(isSame) ?? name;
  return { path, key, sensor: key, old: config.sensors[key]?.calibration };
}

async function consent(question: string, { yes }: CalibrateOptions, ask: Ask, { stdin }: Io): Promise<void> {
  if (yes) return;
  const answer = stdin.isTTY ? await ask(`${question} Type yes`) : undefined;
  if (answer?.trim().toLowerCase() === 'yes') return;
  const remedy = stdin.isTTY
    ? 'it was not confirmed by yes'
    : 'there is no terminal to confirm it; give --yes';
  throw new CliError('consent_missing', `${question} ${remedy}; svc.yaml was not changed`, EXIT.refused);
}

function pumpOf(
  bridge: BridgeCalls,
  { requirements: { low, high } }: CalibrationOrder,
  { valve = '' }: CalibrateOptions,
  io: Io,
  talk: Talk,
) {
  const powerPct = (nominal: number) => Math.min(100, Math.max(0, (100 * (nominal - low)) / (high - low)));
  return byPump(bridge, { valve, powerPct }, io, talk.lost);
}

interface Place {
  input: SensorInput;
  reference: Reference;
  source: PressureSource;
  talk: Talk;
}

/** Preload, then up, down and the check points. The source is ended on every path. */
async function measureAll(order: CalibrationOrder, place: Place): Promise<MeasuredPoint[]> {
  const { nominals, checks } = order;
  const { source, talk } = place;
  const passes: [Pass | 'preload', number][] = [
    ['preload', nominals.at(-1) ?? 0],
    ...nominals.map((nominal): [Pass, number] => ['up', nominal]),
    ...nominals
      .slice(0, -1)
      .reverse()
      .map((nominal): [Pass, number] => ['down', nominal]),
    ...checks.map((nominal): [Pass, number] => ['check', nominal]),
  ];
  try {
    const points: MeasuredPoint[] = [];
    for (const [pass, nominal] of passes) {
      talk.signal.throwIfAborted();
      const measured = await measurePoint(nominal, pass, order, place);
      // The preload only moves what sticks.
      if (pass !== 'preload') points.push({ pass, nominal, ...measured });
    }
    return points;
  } finally {
    await source.end();
  }
}

async function measurePoint(
  nominal: number,
  pass: string,
  { unit, samples, settleTimeoutMs }: CalibrationOrder,
  { input, reference, source, talk: { say, signal } }: Place,
): Promise<Pick<MeasuredPoint, 'reference' | 'readings'>> {
  await source.apply(nominal);
  const name = `${shown(nominal)} ${unit} (${pass})`;
  // A person reads the standard when the pressure stands; the plant is read when the sensor has settled.
  const asked = reference.isLive ? undefined : await reference.read(nominal);
  const readings = await input.measure(name, { samples, settleTimeoutMs, signal });
  const value = asked ?? (await reference.read(nominal));
  const { mean, deviation } = readings;
  say(
    `${name.padEnd(22)} standard ${shown(value)} ${unit}, sensor ${mean.toFixed(5)} V, s ${deviation.toFixed(5)} V\n`,
  );
  return { reference: value, readings };
}

type Configured = ReturnType<typeof configured>;

function recordOf(
  { sensor, old }: Configured,
  order: CalibrationOrder,
  measured: readonly MeasuredPoint[],
  { isBench, nowMs }: { isBench: boolean; nowMs: number },
): CalibrationRecord {
  const { unit, requirements, standard, conditions, id, by, due } = order;
  const now = new Date(nowMs).toISOString();
  const evaluation = evaluate(measured, requirements, old?.unit === unit ? old : undefined);
  return {
    made_at: now,
    sensor,
    unit,
    bench: isBench,
    standard,
    conditions,
    requirements,
    evaluation,
    old: old ?? null,
    proposed: {
      id,
      unit,
      source: isBench ? `bench: ${standard.id}` : `${standard.id}, certificate ${standard.certificate}`,
      uncertainty: rounded(evaluation.uncertainty),
      calibrated_at: now,
      due_at: due,
      confirmed_at: now,
      confirmed_by: by,
    },
  };
}

async function kept(record: CalibrationRecord, io: Io): Promise<string> {
  const folder = stateDirOf(rigEnvironment(io));
  try {
    return await keepRecord(folder, record, calibrationPage(record));
  } catch (cause) {
    const message = `the record cannot be written below ${folder}: ${reasonOf(cause)}; svc.yaml was not changed`;
    throw new CliError('calibration_not_saved', message, EXIT.error, { cause });
  }
}

/** Each key is set by itself, so that comments stay; those of the other kind go. */
function editsOf(key: string, { proposed, evaluation: { fit }, old }: CalibrationRecord): ConfigEdit[] {
  const place = ['sensors', key, 'calibration'];
  const values =
    fit.kind === 'linear'
      ? { kind: fit.kind, scale: rounded(fit.scale), offset: rounded(fit.offset) }
      : { kind: fit.kind, points: fit.points.map(([volts, out]) => [rounded(volts), rounded(out)]) };
  const gone = old && old.kind !== fit.kind ? (old.kind === 'linear' ? ['scale', 'offset'] : ['points']) : [];
  const edit = (name: string, value: unknown): ConfigEdit => ({ path: [...place, name], value });
  if (!old) return [{ path: place, value: { ...proposed, ...values } }];
  return [
    ...gone.map((name) => edit(name, undefined)),
    ...Object.entries({ ...proposed, ...values }).map(([name, value]) => edit(name, value)),
  ];
}

/** Seven digits: far below what a sensor resolves, and readable. */
const rounded = (value: number): number => Number(value.toPrecision(7));

/** Resolves when the text is out of this process. @throws CliError when the reader is gone */
function written({ stdout }: Pick<Io, 'stdout'>, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(text, (cause) => {
      if (!cause) resolve();
      else
        reject(
          new CliError(
            'result_not_shown',
            `the result could not be printed: ${reasonOf(cause)}; svc.yaml was not changed`,
            EXIT.error,
            { cause },
          ),
        );
    });
  });
}
