import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { validateXML } from 'xmllint-wasm';
import { eventsOf, goalOf, resultOf } from '../../test-kit/scenario/sample-result.ts';
import { suite } from '../../test-kit/suite.ts';
import type { Outcome } from '../events/event.ts';
import { Interpreter } from '../interpreter.ts';
import type { Result } from '../run/result.ts';
import { junitOfSuite, junitXml } from './junit.ts';

const test = suite('JUnit XML against its schema');
const schema = readFileSync('src/test-kit/scenario/junit.xsd', 'utf8');

async function faultsOf(contents: string): Promise<string[]> {
  const { errors } = await validateXML({ xml: [{ fileName: 'junit.xml', contents }], schema: [schema] });
  return errors.map(({ rawMessage }) => rawMessage);
}

const HOSTILE = `<a> & "b" 'c' ]]> \u{1F637} ą\u0007 =1`;
const tested = { unit: HOSTILE, part: '=P', revision: null, batch: null, operator: 'Zoë' };
const recordOf = (result: Result) => ({ result, version: '1.2.3', scenarioHash: 'f00d', tested });

const OUTCOMES: readonly Outcome[] = ['passed', 'failed', 'error', 'inconclusive', 'skipped', 'aborted'];

const CHECK = {
  type: 'check',
  goal: 0,
  kind: 'CHECK',
  sensor: 'AI01',
  op: '>=',
  low: 1,
  high: null,
  actual: 0.5,
  unit: 'V',
  outcome: 'failed',
  message: HOSTILE,
} as const;

test('REC-008 every outcome, on the rig, on a bench and simulated, with hostile texts, is accepted', async () => {
  const goals = [
    ...OUTCOMES.map((outcome, n) => goalOf(n, outcome, { name: HOSTILE, message: HOSTILE })),
    goalOf(OUTCOMES.length, 'passed', { checks: 0, procedure: true, kind: 'CONFIG' }),
  ];
  for (const marks of [{}, { bench: true }, { simulated: true }]) {
    const result = resultOf({ outcome: 'aborted', goals, events: eventsOf(CHECK), ...marks });
    assert.equal(await faultsOf(junitXml(recordOf(result))), [], JSON.stringify(marks));
  }
});

test('REC-008 a run, a suite with scenarios that were not run, and a run without any block are accepted', async () => {
  const text = "SCENARIO: A\nGOAL:\n  SET NAME 'Leak'\n  CHECK AI01 >= 4 V\n  FAIL 'no' RETRY 1\n";
  const result = await new Interpreter({ sensors: { AI01: 0.5 } }).run(text, 'a.oql');
  assert.equal(await faultsOf(junitXml(recordOf(result))), []);
  const broken = await new Interpreter({}).run('GOAL', 'b.oql');
  assert.equal(await faultsOf(junitXml(recordOf(broken))), []);
  const entries = [
    { name: HOSTILE, record: recordOf(result) },
    { name: 'Not reached', file: 'c.oql', outcome: 'skipped', reason: HOSTILE },
    { name: 'Not valid', file: 'd.oql', outcome: 'error', reason: HOSTILE },
  ] as const;
  assert.equal(await faultsOf(junitOfSuite('Suite', entries)), []);
});

test('the schema refuses what is no JUnit XML', async () => {
  const good = junitXml(recordOf(resultOf()));
  for (const bad of [
    good.replace(' tests="2"', ''),
    good.replace('</testsuite>', '<other/></testsuite>'),
    good.replace('time="4.000"', 'time="4 s"'),
    good.replace('<?xml', 'x<?xml'),
  ])
    assert.ok((await faultsOf(bad)).length > 0, bad.slice(0, 200));
});

test.run();
