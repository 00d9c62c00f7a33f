import type { Command } from 'commander';
import { benchmark } from '../../diagnostics/benchmark.ts';
import {
  askFirmware,
  type FailedPart,
  failed,
  hardwareHealth,
  identify,
  type Json,
} from '../../diagnostics/firmware-report.ts';
import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { marksOf } from '../diag/check-command.ts';
import { type DiagContext, requireConsent } from '../diag/diag-context.ts';
import { hostParts } from '../diag/read-commands.ts';
import { diagnosticsPlace } from '../doctor/diagnostics-place.ts';
import { diagnosed } from '../doctor/doctor-command.ts';
import { usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { Questions } from '../io/questions.ts';
import type { ProgramDefinition } from '../io/run-program.ts';
import type { StopSignals } from '../io/stop-signals.ts';
import { BridgeCalls } from '../lease/bridge-calls.ts';
import { LeasedRig } from '../lease/leased-rig.ts';

interface Options {
  quick?: true;
  usb?: true;
  testPump?: true;
  json?: true;
  yes?: true;
  firmwareUrl?: string;
}

interface Step {
  name: string;
  result: 'PASS' | 'FAIL' | 'SKIP';
  reason: string;
}

type Judge = (context: DiagContext) => Promise<Omit<Step, 'name'>>;

const pass = (reason: string): Omit<Step, 'name'> => ({ result: 'PASS', reason });
const fail = (reason: string): Omit<Step, 'name'> => ({ result: 'FAIL', reason });
const skip = (reason: string): Omit<Step, 'name'> => ({ result: 'SKIP', reason });

const BENCHMARK_S = 3;
const PUMP_S = 1;
const ADC_LIMIT_MS = 3000;

/** `hardware-check`: passes or fails a bench or a rig, one line for each step. */
export const hardwareCheckProgram = (args: readonly string[]): ProgramDefinition<Options> => ({
  name: 'hardware-check',
  define,
  run: hardwareCheck,
  printsReport: () => args.includes('--json'),
  reportsUsage: true,
});

function define(program: Command): void {
  program
    .description('Checks the hardware of the rig, one line for each step.')
    .option('--quick', 'bridge, mode and adapters only')
    .option('--usb', 'USB devices, serial ports, kernel drivers and permissions only')
    .option('--test-pump', 'run the pump at 10 % for 1 s; asks first')
    .option('-y, --yes', 'with --test-pump: do not ask')
    .option('--json', 'print one JSON document and nothing else')
    .option('--firmware-url <url>', 'bridge (else SVC_FIRMWARE_URL, FIRMWARE_URL, http://127.0.0.1:8202)')
    .addHelpText(
      'after',
      '\nExit codes: 0 no step failed; 1 a step failed; 2 wrong usage; 4 consent is missing; 130 interrupted.',
    );
}

async function hardwareCheck(options: Options, io: Io, stop: StopSignals): Promise<number> {
  const given = (['quick', 'usb', 'testPump'] as const).filter((name) => options[name]);
  if (given.length > 1)
    throw usageError('--quick, --usb and --test-pump exclude each other; give one of them');
  const questions = io.stdin.isTTY && !options.json ? new Questions(io, stop.soon) : undefined;
  const context: DiagContext = {
    io,
    json: options.json === true,
    signal: stop.soon,
    ...(options.firmwareUrl ? { firmwareUrl: options.firmwareUrl } : {}),
    ...(options.yes ? { yes: options.yes } : {}),
    ...(questions ? { ask: (question: string) => questions.ask(question) } : {}),
  };
  const steps: Step[] = [];
  try {
    for (const [name, judge] of stepsOf(options)) {
      if (stop.soon.aborted) return EXIT.aborted;
      const step = { name, ...(await judge(context)) };
      steps.push(step);
      if (!options.json) io.stdout.write(`${step.result} ${step.name}: ${step.reason}\n`);
    }
  } finally {
    questions?.close();
  }
  const count = (result: Step['result']) => steps.filter((step) => step.result === result).length;
  const [passed, failures, skipped] = [count('PASS'), count('FAIL'), count('SKIP')];
  if (options.json)
    io.stdout.write(`${JSON.stringify({ ok: failures === 0, passed, failed: failures, skipped, steps })}\n`);
  else io.stdout.write(`${passed} passed, ${failures} failed, ${skipped} skipped\n`);
  return stop.soon.aborted ? EXIT.aborted : failures > 0 ? EXIT.failed : EXIT.ok;
}

function stepsOf({ quick, usb, testPump }: Options): [string, Judge][] {
  if (usb)
    return [
      ['usb', usbStep],
      ['drivers', driversStep],
      ['permissions', permissionsStep],
    ];
  if (testPump)
    return [
      ['bridge', bridgeStep],
      ['pump', pumpStep],
    ];
  const short: [string, Judge][] = [
    ['bridge', bridgeStep],
    ['mode', modeStep],
    ['adapters', adaptersStep],
  ];
  if (quick) return short;
  return [
    ['usb', usbStep],
    ['i2c', i2cStep],
    ...short,
    ['doctor', doctorStep],
    ['adc services', adcStep],
    ['benchmark', benchmarkStep],
  ];
}

const place = ({ io, firmwareUrl }: DiagContext) => diagnosticsPlace(firmwareUrl, io);

const usbStep: Judge = async (context) => {
  const { usb_devices } = await hostParts(context);
  if ('error' in usb_devices) return fail(usb_devices.error);
  if (usb_devices.length === 0) return skip('this machine has no USB device and no serial port');
  return pass(
    usb_devices.map(({ device, vid, pid }) => (vid ? `${device} ${vid}:${pid}` : device)).join(', '),
  );
};

const i2cStep: Judge = async (context) => {
  const { i2c_buses } = await hostParts(context);
  if ('error' in i2c_buses) return fail(i2c_buses.error);
  if (i2c_buses.length === 0) return skip('this machine has no I2C bus');
  const faults = i2c_buses.flatMap(({ path, error }) => (error ? [`${path}: ${error}`] : []));
  if (faults.length > 0) return fail(faults.join('; '));
  return pass(
    i2c_buses
      .map(
        ({ path, chips }) =>
          `${path}: ${chips.map(({ address }) => address).join(' ') || 'no chip of the rig'}`,
      )
      .join(', '),
  );
};

const FINDINGS_OF_DRIVERS =
  /^(usb_adc_kernel_driver|usb_autosuspend_on|usb_latency_16ms|brltty_claims_port|modem_manager_probes)$/;
const FINDINGS_OF_RIGHTS = /^(device_permission_denied|udev_rule_not_applied|permission_needs_relogin)$/;

const findings =
  (codes: RegExp, good: string): Judge =>
  async ({ io, firmwareUrl, signal }) => {
    const { issues } = await diagnosed({ probe: false, ...(firmwareUrl ? { firmwareUrl } : {}) }, io, signal);
    const found = issues.filter(({ code }) => codes.test(code));
    return found.length === 0
      ? pass(good)
      : fail(found.map(({ code, message }) => `${code}: ${message}`).join('; '));
  };

const driversStep = findings(FINDINGS_OF_DRIVERS, 'no kernel driver or program is in the way');
const permissionsStep = findings(FINDINGS_OF_RIGHTS, 'this account may open the devices');

const judged = (answer: Json | FailedPart, good: (answer: Json) => Omit<Step, 'name'>): Omit<Step, 'name'> =>
  failed(answer) ? fail(answer.error) : good(answer);

const bridgeStep: Judge = async (context) => {
  const health = await hardwareHealth(place(context).firmware);
  return judged(health, ({ ok, components }) => {
    if (ok === true) return pass('every device is ok');
    const bad = Object.entries((components ?? {}) as Record<string, Json>).filter(
      ([, one]) => one.status !== 'ok',
    );
    return fail(
      `ok is ${String(ok)}: ${bad.map(([id, { status, message }]) => `${id} ${String(status)} ${String(message ?? '')}`.trim()).join('; ')}`,
    );
  });
};

const modeStep: Judge = async (context) =>
  judged(await hardwareHealth(place(context).firmware), (health) => {
    const { mode, simulated, bench } = marksOf(health);
    if (mode === 'real' && !simulated) return pass(bench ? 'real drivers on a bench of twins' : 'real');
    return fail(`${mode}: no real device is used`);
  });

const adaptersStep: Judge = async (context) =>
  judged(await identify(place(context).firmware, 'never'), ({ detected, total, adapters }) => {
    const bad = ((adapters ?? []) as Json[])
      .filter(({ status }) => status !== 'ok')
      .map(({ id, status }) => `${id} ${status}`);
    const text = `${String(detected)}/${String(total)} ok`;
    return bad.length === 0 && Number(total) > 0
      ? pass(text)
      : fail(`${text}; ${bad.join(', ') || 'no adapter is configured'}`);
  });

const doctorStep: Judge = async ({ io, firmwareUrl, signal }) => {
  const { issues, summary } = await diagnosed(firmwareUrl ? { firmwareUrl } : {}, io, signal);
  const errors = issues.filter(({ severity, caused_by }) => severity === 'error' && caused_by === null);
  if (errors.length === 0) return pass(`no errors, ${summary.warnings} warnings`);
  return fail(errors.map(({ code, message }) => `${code}: ${message}`).join('; '));
};

/** Port and variable of each, as docs/names.md lists them. */
const ADC_SERVICES = [
  ['svc-adc-stack', 8214, 'SVC_ADC_STACK_PORT'],
  ['svc-adc-usb', 8212, 'SVC_ADC_USB_PORT'],
  ['svc-adc-uart', 8213, 'SVC_ADC_UART_PORT'],
] as const;

const adcStep: Judge = async (context) => {
  const { env, firmware } = place(context);
  const asked = await Promise.all(
    ADC_SERVICES.map(async ([name, standard, variable]) => {
      const port = Number(env[variable] ?? standard) || standard;
      return {
        name,
        health: await askFirmware(
          { ...firmware, token: undefined, url: `http://127.0.0.1:${port}` },
          '/health',
          ADC_LIMIT_MS,
        ),
      };
    }),
  );
  const up = asked.filter(({ health }) => !failed(health));
  if (up.length === 0) return skip('no ADC service runs');
  const bad = up.filter(({ health }) => health.ok !== true);
  const names = up.map(({ name }) => name).join(', ');
  return bad.length === 0
    ? pass(`${names} ok`)
    : fail(bad.map(({ name, health }) => `${name}: ok is ${String(health.ok)}`).join('; '));
};

const benchmarkStep: Judge = async (context) => {
  const result = await benchmark(place(context).firmware, BENCHMARK_S, {
    clock: context.io.clock,
    signal: context.signal,
  });
  if ('error' in result) return fail(result.error);
  if (result.errors > 0) return fail(`${result.errors} of ${result.requests} requests failed`);
  return pass(`${result.rps} requests/s, average ${result.latency_avg_ms} ms`);
};

const pumpStep: Judge = async (context) => {
  const { io, firmwareUrl, signal } = context;
  const { firmware } = place(context);
  const health = await hardwareHealth(firmware);
  if (failed(health)) return fail(health.error);
  const { mode, bench } = marksOf(health);
  await requireConsent(
    [
      `The pump will run at 10 % for ${PUMP_S} s, then stop. Bridge ${firmware.url}, mode ${mode}${bench ? ' (bench)' : ''}.`,
    ],
    context,
  );
  try {
    const rig = await LeasedRig.take(new BridgeCalls(firmwareUrl, io), 'hardware-check', io);
    const duties: unknown[] = [];
    let ended: Json;
    try {
      const running = await rig.command('pump?power_pct=10');
      duties.push(verifiedDuty(running));
      await io.clock.sleep(PUMP_S * 1000, AbortSignal.any([signal, rig.lost]));
      duties.push(verifiedDuty(await rig.command('pump?power_pct=0')));
    } finally {
      ended = await rig.end();
    }
    const { outcome } = (ended.safe_state ?? {}) as { outcome?: string };
    const isGood = duties[0] === 26 && duties[1] === 0;
    if (mode !== 'mock' && !isGood)
      return fail(`duty ${String(duties[0])}, then ${String(duties[1])}, wanted 26 and 0, each verified`);
    return outcome === 'safe' || outcome === 'simulated'
      ? pass(`ran at duty 26, stopped, safe state ${outcome}`)
      : fail(`safe state ${outcome}`);
  } catch (fault) {
    if (!(fault instanceof CodedError)) throw fault;
    return fail(signal.aborted ? 'interrupted; the rig was made safe' : messageOf(fault));
  }
};

const verifiedDuty = ({ ok, data }: Json): unknown => {
  const { verified, duty } = (data ?? {}) as Json;
  return ok === true && verified === true ? duty : `not verified (${String(duty)})`;
};
