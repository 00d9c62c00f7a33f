import { lungCommand } from '../../../rig/actuators/lung-command.ts';
import { type PumpRefusal, pumpPower } from '../../../rig/actuators/pump-power.ts';
import { parseValveWord } from '../../../rig/actuators/valve-word.ts';
import { differenceOf } from '../../../rig/units/units.ts';
import type { Code } from '../../diagnostics/catalogue.ts';
import type { InstructionOf } from '../../program/instruction.ts';
import { RunFault, toFault } from '../../rig/fault.ts';
import type { Setting } from '../../rig/rig.ts';
import type { Command } from '../../run/command.ts';
import { type Resolved, resolve } from '../../run/limit.ts';
import { parameter } from '../../run/parameters.ts';
import type { RunContext } from '../../run/run-context.ts';
import { formatNumber } from '../../values/number.ts';

type Actuate = InstructionOf<'actuate'>;

/** The value that an actuate event reports as sent. */
interface Sent {
  readonly value: unknown;
  readonly unit: string | null;
}

/** SET of an actuator: sent once. Every fault ends the run. */
export async function actuate(instruction: Actuate, command: Command): Promise<void> {
  const { run } = command;
  const id = instruction.id.includes('$') ? run.strictText(instruction.id) : instruction.id;
  const target = instruction.target.includes('$') ? run.strictText(instruction.target) : instruction.target;
  command.about(target, id);
  const resolved = resolve(instruction.value, run);
  const requested = wordOf(resolved);
  const setting = settingOf(instruction.peripheral, id, target, resolved, run);
  const sent = sentOf(setting);
  const emitActuation = (ok: boolean) =>
    command.emit({
      type: 'actuate',
      target,
      peripheral: id,
      requested,
      sent: sent.value,
      unit: sent.unit,
      ok,
    });
  try {
    await command.timed((signal) => run.rig.apply(setting, signal));
  } catch (thrown) {
    emitActuation(false);
    throw actuationFault(toFault(thrown), target, id);
  }
  emitActuation(true);
}

function actuationFault(fault: RunFault, target: string, id: string): RunFault {
  const place = `${target} (${id})`;
  const options = { scope: 'run', cause: fault, leaseLost: fault.leaseLost } as const;
  if (fault.aborted) return fault;
  if (fault.scn === 'SCN405') return new RunFault('SCN405', `${place} rejected: ${fault.message}`, options);
  if (fault.scn === 'SCN406' || fault.scn === 'SCN407')
    return new RunFault(
      fault.scn,
      `${place}: ${fault.message}; it may or may not have taken effect; it is not repeated and the run is aborted`,
      options,
    );
  return new RunFault(fault.scn, `${place}: ${fault.message}`, options);
}

const wordOf = (resolved: Resolved): string =>
  resolved.kind === 'text'
    ? resolved.text
    : `${formatNumber(resolved.value)}${resolved.unit === undefined ? '' : ` ${resolved.unit}`}`;

function settingOf(
  kind: Actuate['peripheral'],
  id: string,
  target: string,
  value: Resolved,
  run: RunContext,
): Setting {
  if (kind === 'pump') return pumpSetting(id, target, value, run);
  if (kind === 'valve') {
    const open = parseValveWord(wordOf(value));
    if (open === undefined)
      throw refuse('SCN223', `"${wordOf(value)}" is not a state of the valve ${target}; use on or off`);
    return { kind, id, open };
  }
  if (kind === 'lung') return lungSetting(id, target, value, run);
  return { kind, id, value: value.kind === 'number' ? value.value : (switchOf(value.text) ?? value.text) };
}

const switchOf = (word: string): number | undefined => {
  const on = parseValveWord(word);
  return on === undefined ? undefined : Number(on);
};

const refuse = (code: Code, message: string): RunFault =>
  new RunFault(code, `${message}; nothing was sent`, { scope: 'run' });

function pumpSetting(id: string, target: string, value: Resolved, run: RunContext): Setting {
  const word = wordOf(value).trim().toLowerCase();
  if (word === 'on') return { kind: 'pump', id, powerPct: 100 };
  if (word === 'off') return { kind: 'pump', id, powerPct: 0 };
  if (value.kind === 'text')
    throw refuse('SCN223', `"${value.text}" is not a setpoint for the pump ${target}`);
  const peripheral = run.registry.peripheral(id);
  const scale =
    parameter('PUMP_FLOW_FULL_SCALE_LPM', run) ?? peripheral?.fullScaleLpm ?? run.registry.pumpFullScaleLpm;
  const power = pumpPower(value.value, value.unit, scale);
  if ('refusal' in power) throw refuse(...pumpRefusal(power.refusal, target, word));
  return { kind: 'pump', id, powerPct: power.percent };
}

function pumpRefusal(refusal: PumpRefusal, target: string, word: string): [Code, string] {
  switch (refusal.reason) {
    case 'percent-out-of-range':
      return ['SCN224', `${formatNumber(refusal.percent)} % is outside 0..100 % of the pump ${target}`];
    case 'flow-over-scale':
      return [
        'SCN229',
        `${formatNumber(refusal.lpm)} l/min is more than the full scale of the pump ${target}, ${formatNumber(refusal.fullScaleLpm)} l/min`,
      ];
    case 'negative-flow':
      return ['SCN225', `${word} is negative, but the pump ${target} turns one way only`];
    case 'volume-unit':
      return ['SCN226', `${refusal.unit} is a volume; the pump ${target} takes l/min or %`];
    case 'incompatible-unit':
      return [
        'SCN240',
        `${refusal.unit} is not a unit of flow${differenceOf(refusal.unit, 'l/min')}; the pump ${target} takes l/min or %`,
      ];
    case 'bad-value':
      return ['SCN223', `"${word}" is not a setpoint for the pump ${target}`];
  }
}

function lungSetting(id: string, target: string, value: Resolved, run: RunContext): Setting {
  const amount =
    value.kind === 'number'
      ? { value: value.value, ...(value.unit === undefined ? {} : { unit: value.unit }) }
      : undefined;
  const wanted = lungCommand(wordOf(value), amount);
  if (!wanted)
    throw refuse(
      'SCN223',
      `"${wordOf(value)}" is not a command of the lung ${target}; use start, stop, a number of cycles or a volume`,
    );
  if (wanted.action === 'stop') return { kind: 'lung', id, action: 'stop' };
  let cycles: number;
  if (wanted.action === 'volume') {
    if (wanted.litres === 0) return { kind: 'lung', id, action: 'stop' };
    const stroke = parameter('LUNG_STROKE_VOLUME', run);
    if (stroke === undefined)
      throw refuse(
        'SCN411',
        `a volume needs LUNG_STROKE_VOLUME (litres per cycle of the lung ${target}); set it first`,
      );
    cycles = Math.round(wanted.litres / stroke);
    if (cycles < 1)
      throw refuse(
        'SCN223',
        `${wordOf(value)} is less than half a cycle of the lung ${target} (${stroke} l)`,
      );
  } else cycles = wanted.cycles ?? parameter('LUNG_CYCLES', run)!;
  return {
    kind: 'lung',
    id,
    action: 'start',
    steps: parameter('LUNG_STEPS', run)!,
    speed: parameter('LUNG_SPEED', run)!,
    cycles,
    pauseS: parameter('LUNG_PAUSE', run)!,
  };
}

function sentOf(setting: Setting): Sent {
  switch (setting.kind) {
    case 'pump':
      return { value: setting.powerPct, unit: '%' };
    case 'valve':
      return { value: setting.open, unit: null };
    case 'lung': {
      if (setting.action === 'stop') return { value: 'stop', unit: null };
      const { steps, speed, cycles, pauseS } = setting;
      return { value: { steps, speed, cycles, pause: pauseS }, unit: null };
    }
    case 'other':
      return { value: setting.value, unit: null };
  }
}

/** SET of an unknown name. Nothing is sent. */
export async function unknownTarget(
  { target, code }: InstructionOf<'unknown-target'>,
  command: Command,
): Promise<void> {
  const { run } = command;
  const name = target.includes('$') ? run.strictText(target) : target;
  command.about(name);
  const peripheral = target === name ? undefined : run.registry.peripheral(name);
  if (peripheral)
    throw new RunFault(code, `"${target}" is resolved only at run time; write the actuator's name`, {
      scope: 'run',
    });
  throw new RunFault(code, `"${name}" is neither an actuator nor a variable of this rig; nothing was sent`, {
    scope: 'run',
  });
}
