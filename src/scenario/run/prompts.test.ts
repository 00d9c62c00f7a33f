import * as assert from 'uvu/assert';
import { patiently } from '../../test-kit/scenario/request-paused-clock.ts';
import { codesOf, eventsOf, goalOf, outcomesOf, runOn, withBridge } from '../../test-kit/scenario/run-on.ts';
import { suite } from '../../test-kit/suite.ts';
import type { RunEvent } from '../events/event.ts';
import type { InterpreterOptions } from '../interpreter.ts';
import type { Prompt } from './options.ts';
import type { PromptQuestion } from './prompt-answer.ts';

const test = suite('prompts');

/** Gives these answers one after the other and keeps what was asked. */
function answering(...answers: (string | boolean | null)[]) {
  const asked: { question: PromptQuestion; again: string | undefined }[] = [];
  const onPrompt: Prompt = async (question, { again }) => {
    asked.push({ question, again });
    assert.ok(answers.length > 0, `nobody expected "${question.message}" ${again}`);
    return answers.shift() ?? null;
  };
  return { asked, onPrompt };
}

/** A person who never answers. */
const silent: Prompt = () => new Promise(() => {});

/** The same, while an hour goes by on the clock of the run. */
function absent(): InterpreterOptions {
  const { clock, fetch } = patiently();
  const onPrompt: Prompt = async (_, { signal }) => {
    await clock.sleep(3_600_000, signal);
    return null;
  };
  return { clock, fetch, onPrompt };
}

const actions = (result: { events: readonly RunEvent[] }) =>
  eventsOf(result, 'prompt').map(({ n, action, answer }) => `${n} ${action} ${answer}`);

const ASK = "GOAL a:\n  PROMPT 'Mask on?'\n  CHECK AI01 <= 5 V\nGOAL b:\n  CHECK AI01 <= 5 V\n";

for (const yes of ['y', 'YES', ' t ', 'Tak', true])
  test(`LANG-080 "${yes}" is a yes`, () =>
    withBridge(async (twin) => {
      const result = await runOn(twin, ASK, { onPrompt: answering(yes).onPrompt });
      assert.equal([result.outcome, actions(result)], ['passed', ['1 open null', '1 answered yes']]);
    }));

for (const no of ['n', 'No', 'NIE', false])
  test(`LANG-080 "${no}" is a no, an error that ends the goal and not the run`, () =>
    withBridge(async (twin) => {
      const result = await runOn(twin, ASK, { onPrompt: answering(no).onPrompt });
      assert.equal(outcomesOf(result), ['a error', 'b passed']);
      assert.equal([goalOf(result, 'a').checks, codesOf(result)], [0, ['SCN413']]);
      assert.equal(actions(result), ['1 open null', '1 answered no']);
    }));

test('LANG-080 anything else is asked again, with the reason', () =>
  withBridge(async (twin) => {
    const { asked, onPrompt } = answering('', 'ok', 'nope', 'yess', 'y');
    const result = await runOn(twin, ASK, { onPrompt });
    assert.is(result.outcome, 'passed');
    assert.equal(
      asked.map(({ question: { n }, again }) => [n, again?.slice(0, 25)]),
      [
        [1, undefined],
        [1, '"" is neither yes nor no;'],
        [1, '"ok" is neither yes nor no'.slice(0, 25)],
        [1, '"nope" is neither yes nor no'.slice(0, 25)],
        [1, '"yess" is neither yes nor no'.slice(0, 25)],
      ],
    );
    assert.is(actions(result).filter((one) => one === '1 again null').length, 4);
  }));

test('LANG-080 without a person, and at the end of the input, a prompt is an error', () =>
  withBridge(async (twin) => {
    for (const options of [{}, { onPrompt: answering(null).onPrompt }]) {
      const result = await runOn(twin, ASK, options);
      assert.equal([outcomesOf(result), codesOf(result)], [['a error', 'b passed'], ['SCN411']]);
    }
  }));

const withElse = (orElse: string, rest = '') =>
  `GOAL a:\n  PROMPT 'Green?' ${orElse}\n  CHECK AI01 <= 5 V\nGOAL b:\n  CHECK AI01 <= 5 V\n${rest}`;

test('LANG-080 ELSE ERROR makes it a check by eye: no is failed and ends the goal, yes is a verdict', () =>
  withBridge(async (twin) => {
    const source = withElse("ELSE ERROR 'it is dark'");
    const refused = await runOn(twin, source, { onPrompt: answering('n').onPrompt });
    assert.equal(outcomesOf(refused), ['a failed', 'b passed']);
    assert.equal(
      eventsOf(refused, 'check').map(({ kind, actual, outcome, message }) => [
        kind,
        actual,
        outcome,
        message,
      ]),
      [
        ['PROMPT', 'no', 'failed', 'it is dark'],
        ['CHECK', 0.635, 'passed', eventsOf(refused, 'check')[1]?.message],
      ],
    );
    const confirmed = await runOn(twin, source, { onPrompt: answering('y').onPrompt });
    assert.equal([confirmed.outcome, goalOf(confirmed, 'a').checks], ['passed', 2]);
  }));

test('LANG-080 ELSE INFO and a branch go on, ELSE GOAL jumps', () =>
  withBridge(async (twin) => {
    const info = await runOn(twin, withElse("ELSE INFO 'not green'"), { onPrompt: answering('n').onPrompt });
    assert.equal([info.outcome, goalOf(info, 'a').checks], ['passed', 1]);
    assert.equal(
      eventsOf(info, 'log').map(({ message }) => message),
      ['not green'],
    );
    const jumped = await runOn(twin, withElse("ELSE GOAL 'b'"), { onPrompt: answering('n').onPrompt });
    assert.equal([goalOf(jumped, 'a').checks, goalOf(jumped, 'b').checks], [0, 1]);
    const branch = withElse('').replace('Green?', "Green?'\n  ELSE\n    SET valve-1 on\n  ENDIF\n  LOG 'x");
    const branched = await runOn(twin, branch, { onPrompt: answering('n').onPrompt });
    assert.equal([branched.outcome, eventsOf(branched, 'actuate').length], ['passed', 1]);
  }));

test('LANG-080 no answer within TIMEOUT is an error that ends the goal, unless ELSE handles it', () =>
  withBridge(async (twin) => {
    const options = (): InterpreterOptions => absent();
    const source = withElse('').replace("'Green?'", "'Green?' TIMEOUT 5 min");
    const late = await runOn(twin, source, options());
    assert.equal([outcomesOf(late), codesOf(late)], [['a error', 'b passed'], ['SCN414']]);
    assert.match(goalOf(late, 'a').message ?? '', 'no answer to "Green?" within 5 min');
    assert.equal(actions(late), ['1 open null', '1 timeout null']);
    const handled = await runOn(twin, withElse("TIMEOUT 5 min ELSE WARNING 'late'"), options());
    assert.is(handled.outcome, 'passed');
    const failed = await runOn(twin, withElse("TIMEOUT 5 min ELSE ERROR 'late'"), options());
    assert.equal(outcomesOf(failed), ['a failed', 'b passed']);
  }));

test('LANG-080 the command time-out does not count while a person thinks, that of the goal does', () =>
  withBridge(async (twin) => {
    const { clock, fetch } = patiently();
    const slow: Prompt = async () => {
      await clock.sleep(60_000);
      return 'y';
    };
    const patient = await runOn(twin, ASK, { clock, fetch, onPrompt: slow, timeouts: { commandMs: 1000 } });
    assert.is(patient.outcome, 'passed');
    const late = await runOn(twin, ASK, {
      ...absent(),
      timeouts: { commandMs: 1000, goalMs: 30_000 },
    });
    assert.equal([outcomesOf(late), codesOf(late)], [['a error', 'b passed'], ['SCN407']]);
    assert.equal(actions(late), ['1 open null', '1 cancelled null']);
  }));

const CHOOSE =
  "GOAL a:\n  PROMPT 'Flow?' AS flow CHOICES '3 l/min' '1' 'none'\n  LOG '$flow'\n  CHECK AI01 <= 5 V\n";

for (const [said, chosen] of [
  ['3 l/min', '3 l/min'],
  ['NONE', 'none'],
  ['1', '1'],
  ['3', 'none'],
] as const)
  test(`LANG-080 of the choices "${said}" is ${chosen}: by text, then by number`, () =>
    withBridge(async (twin) => {
      const result = await runOn(twin, CHOOSE, { onPrompt: answering(said).onPrompt });
      assert.equal(actions(result), ['1 open null', `1 answered ${chosen}`]);
    }));

test('LANG-080 with CHOICES only a choice is an answer', () =>
  withBridge(async (twin) => {
    const { asked, onPrompt } = answering('no', '0', '4', '', '3 l/min');
    const result = await runOn(twin, CHOOSE, { onPrompt });
    assert.equal(result.variables.flow, { value: 3, unit: 'l/min' });
    assert.match(asked[1]?.again ?? '', 'answer with a text or number from: 1 3 l/min, 2 1, 3 none');
  }));

test('LANG-080 AS takes a quantity that limits and setpoints use; an empty answer is asked again', () =>
  withBridge(async (twin) => {
    const source = "GOAL a:\n  PROMPT 'Limit?' AS limit\n  CHECK AI01 <= limit\n";
    const { onPrompt } = answering('', '  ', 'a\tb', 'x'.repeat(1001), ' 600 mV ');
    const result = await runOn(twin, source, { onPrompt });
    const [check] = eventsOf(result, 'check');
    assert.equal([check?.high, check?.unit, check?.outcome], [600, 'mV', 'failed']);
    assert.is(actions(result).filter((one) => one === '1 again null').length, 4);
  }));

test('LANG-080 prompts are counted through the run', () =>
  withBridge(async (twin) => {
    const source = "GOAL a:\n  REPEAT 2:\n    PROMPT 'Ready?'\n  REPEAT STOP\n  TASK 'Fit it' CONFIRM\n";
    const result = await runOn(twin, source, { onPrompt: answering('y', 'y', 't').onPrompt });
    assert.equal(
      actions(result).filter((one) => one.includes('open')),
      ['1 open null', '2 open null', '3 open null'],
    );
  }));

test('LANG-080 an abort ends the waiting prompt at once, teardown follows', () =>
  withBridge(async (twin) => {
    const controller = new AbortController();
    const onPrompt: Prompt = (_, { signal }) => {
      queueMicrotask(() => controller.abort());
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      );
    };
    const source = `${ASK}CONFIG end:\n  SET valve-1 off\n`;
    const result = await runOn(twin, source, { onPrompt, signal: controller.signal });
    assert.equal(outcomesOf(result), ['a aborted', 'b skipped', 'end passed']);
    assert.equal(actions(result), ['1 open null', '1 cancelled null']);
    assert.equal(twin.safeStates, ['call']);
  }));

test('LANG-080 a prompt stops neither lease nor sampling; a lost lease ends it at once', () =>
  withBridge(
    async (twin) => {
      let points = 0;
      let renewals = 0;
      const onEvent = (event: RunEvent) => {
        if (event.type === 'sample' && event.action === 'point') points++;
        if (event.type === 'lease' && event.action === 'renew') renewals++;
        if (points >= 10 && renewals >= 3) twin.expireLease();
      };
      const source =
        "GOAL a:\n  SAMPLE AI01 START 20ms\n  PROMPT 'Ready?' TIMEOUT 5 min\n  SAMPLE AI01 STOP\nGOAL b:\n  CHECK AI01 <= 5 V\n";
      const result = await runOn(twin, source, { onPrompt: silent, onEvent });
      assert.is(result.outcome, 'error');
      assert.equal(outcomesOf(result), ['a error', 'b skipped']);
      assert.ok(codesOf(result).includes('SCN408'), String(codesOf(result)));
      assert.equal(actions(result), ['1 open null', '1 cancelled null']);
    },
    { leaseTtlMs: 600 },
  ));

test('LANG-080 a no, or no answer, whose ELSE fails nothing leaves no verdict without a check', () =>
  withBridge(async (twin) => {
    const gate = "    IF AI01 > 5 V\n      ERROR 'x'\n    ENDIF\n";
    for (const [branch, checks, outcome] of [
      [gate, '', 'inconclusive'],
      ["    LOG 'dark'\n", gate, 'inconclusive'],
      [gate, '  CHECK AI01 <= 5 V\n', 'passed'],
    ]) {
      const source = `GOAL a:\n  PROMPT 'Green?' TIMEOUT 5 min\n  ELSE\n${branch}  ENDIF\n${checks}`;
      for (const options of [{ onPrompt: answering('n').onPrompt }, absent()]) {
        const result = await runOn(twin, source, options);
        assert.equal([result.outcome, result.judged], [outcome, outcome === 'passed'], source);
        if (outcome === 'inconclusive')
          assert.match(goalOf(result, 'a').message ?? '', /"Green\?".*no check ran/);
      }
    }
  }));

test.run();
