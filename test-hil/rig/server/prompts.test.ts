import * as assert from 'uvu/assert';
import { eventsOf } from '../../../src/test-kit/scenario/run-on.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { together } from '../bench/together.ts';
import { type Json, onServerRig, type ServerRig } from './server-rig.ts';

const test = suite('svc-server asks a person');

const ASK = `GOAL Ask:
  PROMPT 'Is the mask on?' TIMEOUT 5 min
  PROMPT 'Size?' AS size CHOICES 'S' 'M'
  CHECK AI01 <= HIGH
`;
const LEFT = `GOAL Ask:
  SET valve-1 on
  PROMPT 'Ready?' TIMEOUT 5 min
CONFIG close:
  SET valve-1 off
`;

/** Until the run waits at prompt `n`. */
async function untilAsked(rig: ServerRig, id: string, n: number): Promise<Json> {
  for (;;) {
    const run = await rig.run(id);
    const prompt = run.prompt as Json | null;
    if (prompt?.n === n) return prompt;
    assert.is(run.ended_at, null, `the run ended: ${JSON.stringify(run)}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

together(
  test,
  {
    'LANG-080 an open prompt is shown and answered by the API; wrong answers are clear errors': () =>
      onServerRig({ ask: ASK }, async (rig) => {
        const id = await rig.begin('ask', { variables: { HIGH: '4 V' } });
        const answer = (n: number | string, body: unknown) =>
          rig.ask(`POST /api/runs/${id}/prompts/${n}`, body as Json);
        const first = await untilAsked(rig, id, 1);
        assert.equal([first.message, first.asks, first.choices], ['Is the mask on?', 'confirmation', []]);
        assert.type(first.closes_at, 'string');
        for (const [n, body, status, code] of [
          [2, { answer: 'y' }, 404, 'unknown_prompt'],
          [0, { answer: 'y' }, 422, 'invalid_parameter'],
          ['x', { answer: 'y' }, 422, 'invalid_parameter'],
          [1, { answer: 'maybe' }, 422, 'invalid_parameter'],
          [1, { answer: null }, 422, 'invalid_parameter'],
          [1, { answer: 'y', more: 1 }, 422, 'invalid_parameter'],
          [1, {}, 422, 'invalid_parameter'],
        ] as const) {
          const told = await answer(n, body);
          assert.equal([told.status, told.body.code], [status, code], JSON.stringify([n, body, told.body]));
        }
        assert.equal((await answer(1, { answer: ' Tak ' })).body, { run_id: id, prompt: 1, answer: 'yes' });
        const second = await untilAsked(rig, id, 2);
        assert.equal([second.asks, second.choices, second.closes_at], ['choice', ['S', 'M'], null]);
        const twice = await answer(1, { answer: 'y' });
        assert.equal([twice.status, twice.body.code], [409, 'prompt_closed']);
        assert.match(String((await answer(2, { answer: 'L' })).body.detail), '1 S, 2 M');
        assert.is((await answer(2, { answer: 2 })).body.answer, 'M');
        const ended = await rig.untilEnded(id);
        assert.equal([ended.status, ended.prompt], ['passed', null]);
        assert.equal((ended.variables as Json).size, { value: 'M' });
        const late = await answer(2, { answer: 1 });
        assert.equal([late.status, late.body.code], [409, 'run_finished']);
        assert.is((await rig.ask('POST /api/runs/r-20000101-0001/prompts/1', { answer: 'y' })).status, 404);
        const events = eventsOf({ events: rig.recorded(id) }, 'prompt');
        assert.equal(
          events.map(({ n, action, answer: said }) => [n, action, said]),
          [
            [1, 'open', null],
            [1, 'answered', 'yes'],
            [2, 'open', null],
            [2, 'answered', 'M'],
          ],
        );
      }),

    'LANG-080 a no ends the goal, an abort ends the waiting prompt at once and the rig is safe': () =>
      onServerRig({ ask: ASK, left: LEFT }, async (rig) => {
        const refused = await rig.begin('ask', { variables: { HIGH: 5 } });
        await untilAsked(rig, refused, 1);
        await rig.ask(`POST /api/runs/${refused}/prompts/1`, { answer: false });
        const ended = await rig.untilEnded(refused);
        assert.is(ended.status, 'error');
        assert.match(JSON.stringify(ended.errors), 'SCN413');
        const id = await rig.begin('left');
        await untilAsked(rig, id, 1);
        await rig.ask(`POST /api/runs/${id}/abort`);
        assert.is((await rig.untilEnded(id)).status, 'aborted');
        assert.equal(await rig.bench.outputsOn(), []);
      }),

    'LANG-074 variables of the API are constants, and recorded as they were given': () =>
      onServerRig({ ask: ASK }, async (rig) => {
        const wrong = await rig.ask('POST /api/scenarios/ask/run', { variables: { HIHG: 5, HIGH: 1 } });
        assert.equal([wrong.status, wrong.body.code], [422, 'invalid_scenario']);
        assert.match(JSON.stringify(wrong.body.findings), 'HIHG was given');
        const dry = await rig.ask('POST /api/scenarios/ask/run?wait=30', {
          mode: 'dry-run',
          variables: { HIGH: '700 mV' },
        });
        assert.equal([dry.body.status, dry.body.prompt], ['passed', null]);
        const report = await rig.ask(`GET /api/runs/${String(dry.body.run_id)}/report`);
        assert.equal((report.body.identity as Json).variables, { HIGH: '700 mV' });
        const given = eventsOf({ events: rig.recorded(String(dry.body.run_id)) }, 'variable');
        assert.equal(
          given.slice(0, 1).map(({ name, value, unit, source }) => [name, value, unit, source]),
          [['HIGH', 700, 'mV', 'given']],
        );
      }),
  },
  { timeoutMs: 180_000, atOnce: 2 },
);

test.run();
