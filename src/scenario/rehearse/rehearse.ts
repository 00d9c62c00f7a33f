import type { Clock } from '../../lib/clock/clock.ts';
import { VirtualClock } from '../../lib/clock/virtual-clock.ts';
import type { GivenSensor } from '../interpreter-options.ts';
import { hasErrors } from '../load.ts';
import type { Instruction } from '../program/instruction.ts';
import type { Operand } from '../program/operand.ts';
import type { Program } from '../program/program.ts';
import { walk } from '../program/walk.ts';
import type { Leaf } from '../run/condition/leaf.ts';
import { Execution, type ExecutionParts } from '../run/execution.ts';
import type { Prompt } from '../run/options.ts';
import type { Result } from '../run/result.ts';
import { StopSwitch } from '../run/stop-switch.ts';
import { formatNumber } from '../values/number.ts';
import { DryRig } from './dry-rig.ts';
import { RehearsalExecutor } from './executor.ts';
import { GivenSensors } from './given-sensors.ts';
import { Memory, Pass } from './pass.ts';
import { wantedBy } from './wanted.ts';

/** Each pass corrects what failed in the one before; more passes do not resolve a contradiction. */
const MOST_PASSES = 5;

/**
 * Runs a scenario without a rig. Where a check is about what follows from readings,
 * silent passes look for readings that satisfy it. Each pass, and the run that is reported, is an ordinary run: it gets
 * readings from its rig and judges them. Never rejects.
 */
export async function rehearse(
  parts: Omit<ExecutionParts, 'stage'>,
  sensors: Readonly<Record<string, GivenSensor>>,
  wallClock: Clock,
): Promise<Result> {
  const { mode, loaded, stop } = parts;
  const given = new GivenSensors(sensors, parts.registry);
  const memory = new Memory(given);
  const startedAt = wallClock.now();
  if (mode === 'dry-run' && !given.refusal && !hasErrors(loaded.diagnostics) && judgesEarlier(loaded.program))
    for (let n = 0; n < MOST_PASSES && !stop.aborted; n++) {
      const pass = new Pass(memory);
      const { onEvent: _onEvent, out: _out, ...options } = parts.options;
      const passStop = new StopSwitch(stop.mainSignal, stop.teardownSignal);
      await perform({ ...parts, options, stop: passStop }, pass, startedAt);
      passStop.end();
      if (!pass.improve()) break;
    }
  return perform(parts, new Pass(memory, true), startedAt);
}

function perform(parts: Omit<ExecutionParts, 'stage'>, pass: Pass, startedAt: number): Promise<Result> {
  const clock = new VirtualClock(startedAt);
  return new Execution({
    ...parts,
    options: { ...parts.options, simulated: true, onPrompt: confirming(pass) },
    stage: {
      clock,
      rig: (observer) => new DryRig({ clock, registry: parts.registry, pass, observer }),
      executor: new RehearsalExecutor(pass),
      refusal: pass.memory.given.refusal,
    },
  }).run();
}

/** True when a command may judge what follows from the readings of earlier ones. */
const judgesEarlier = ({ blocks }: Program): boolean =>
  blocks.some(({ instructions }) => walk(instructions).some(judgesEarlierReading));

function judgesEarlierReading(instruction: Instruction): boolean {
  if (instruction.op === 'delta') return true;
  if (instruction.op !== 'bound')
    return wantedBy(instruction).some(([leaf]) => operandsOf(leaf).some(isDerived));
  const { subject, low, high } = instruction;
  // A limit that is set later than the reading is not known when that is chosen.
  return (
    isDerived({ kind: 'subject', subject }) || [low, high].some((limit) => limit && limit.kind !== 'quantity')
  );
}

const operandsOf = (leaf: Leaf): Operand[] =>
  leaf.kind === 'range' ? [leaf.subject] : [leaf.left, leaf.right];

const isDerived = (operand: Operand): boolean =>
  operand.kind === 'change' ||
  (operand.kind === 'subject' && !['sensor', 'timer'].includes(operand.subject.kind));

/** Confirms, takes the first choice, and answers with a number that satisfies the checks of it. */
const confirming =
  (pass: Pass): Prompt =>
  async ({ asks, choices }) => {
    if (asks === 'confirmation') return 'yes';
    return asks === 'choice' ? (choices[0] ?? '') : formatNumber(pass.choice('prompt', undefined).value());
  };
