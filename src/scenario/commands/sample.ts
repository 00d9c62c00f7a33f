import { printDuration, printName } from '../format/words.ts';
import type { DurationForm } from '../forms/form.ts';
import type { InstructionOf } from '../program/instruction.ts';
import type { Subject } from '../program/operand.ts';
import { renderDuration, renderSubject } from '../program/render-values.ts';
import { RunFault } from '../rig/fault.ts';
import type { Command } from '../run/command.ts';
import { durationMs } from '../run/duration-ms.ts';
import { endSampling, judgeStatistics } from '../run/end-sampling.ts';
import { unitOfBounds } from '../run/judge-bounds.ts';
import { Sampler } from '../run/sampler.ts';
import { namesOf, targetOf } from '../run/target.ts';
import { noTime, readMs } from '../safety/costs.ts';
import type { Token } from '../source/token.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    sample: {
      readonly name: string;
      readonly token: Token;
      readonly interval?: DurationForm;
      readonly start: boolean;
    };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    sample:
      | { readonly subject: Subject; readonly action: 'start'; readonly intervalMs: DurationForm }
      | { readonly subject: Subject; readonly action: 'stop' };
  }
}

export const sample = defineCommand({
  words: {
    SAMPLE: {
      since: 3,
      args: 'sensor:sensor action:word interval:duration?',
      effect: 'sample',
      doc: 'Starts or stops background sampling, by default every 100 ms.',
      examples: ['SAMPLE AI01 START 100ms\nWAIT 1s\nSAMPLE AI01 STOP'],
    },
  },
  form: 'sample',
  defines: ({ sampled }, first) => sampled.add(first),
  parse(args) {
    const example = 'SAMPLE AI01 START 100ms';
    const token = args.need('a sensor', example);
    const action = token && args.need('START or STOP', example);
    if (!token || !action) return undefined;
    const word = action.text.toUpperCase();
    if (word !== 'START' && word !== 'STOP') {
      args.report('SCN123', `SAMPLE takes START or STOP, found "${action.text}"`, action.pos);
      return undefined;
    }
    if (word === 'STOP' || args.left === 0) {
      args.end();
      return { form: 'sample', name: token.text, token, start: word === 'START' };
    }
    const interval = args.duration('an interval', example);
    args.end();
    if (interval === undefined) return undefined;
    if (typeof interval === 'number' && interval <= 0) {
      args.report('SCN126', 'the interval of SAMPLE must be above 0, for example 100ms', action.pos);
      return undefined;
    }
    return { form: 'sample', name: token.text, token, start: true, interval };
  },
  print({ name, start, interval }) {
    const every = interval === undefined ? '' : ` ${printDuration(interval)}`;
    return `SAMPLE ${printName(name)} ${start ? `START${every}` : 'STOP'}`;
  },
  compile({ name, token, start, interval }, line) {
    const subject = line.subjectNow(name, token.pos);
    line.scope.names.sample(name);
    line.push(
      start
        ? { op: 'sample', subject, action: 'start', intervalMs: interval ?? 100 }
        : { op: 'sample', subject, action: 'stop' },
    );
  },
  operations: {
    sample: {
      plan: (one) =>
        `sample ${renderSubject(one.subject)} ${one.action}${one.action === 'start' ? ` ${renderDuration(one.intervalMs)}` : ''}`,
      cost: (one, timeouts) => (one.action === 'stop' ? readMs(one, timeouts) : noTime()),
      effect(one, state, walk) {
        walk.mayFail(state, one);
        const after = walk.spend(state, walk.ownMs(one), one);
        return one.action === 'start' ? { ...after, sampling: true } : after;
      },
      run: startOrStop,
    },
  },
});

/** SAMPLE START and STOP. */
async function startOrStop(instruction: InstructionOf<'sample'>, command: Command): Promise<void> {
  const { run, goal } = command;
  const target = targetOf(instruction.subject, run);
  command.about(...namesOf(target));
  const running = goal.samplers.get(target.key);
  if (instruction.action === 'start') {
    if (running?.running) throw new RunFault('SCN245', `SAMPLE ${target.name} is already running`);
    const intervalMs = durationMs(instruction.intervalMs, run);
    if (intervalMs < 1)
      throw new RunFault('SCN126', `SAMPLE ${target.name}: the interval must be at least 1 ms`);
    run.variables.forgetStatistics(target.name);
    const sampler = new Sampler(target, unitOfBounds(target.key, goal), intervalMs, command.pos, goal);
    goal.samplers.set(target.key, sampler);
    sampler.start();
    return;
  }
  if (!running?.running) throw new RunFault('SCN245', `SAMPLE ${target.name} is not running in this goal`);
  await command.timed(() => endSampling(running, goal));
  if (!judgeStatistics(running, goal)) command.add('failed', `${target.name} is outside its bounds`);
}
