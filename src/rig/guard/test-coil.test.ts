import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { mergeConfig } from '../configuration/load-config.ts';
import { parseConfig } from '../configuration/read-file.ts';
import { testCoilOf } from './test-coil.ts';

const test = suite('guard.test_coil');
const of = (yaml: string) => testCoilOf(mergeConfig(parseConfig(yaml, 'svc.yaml'), {}));

test('SVC-041 a relay that nothing names is the test coil; without the key there is none', () => {
  assert.is(of(''), undefined);
  assert.is(of('guard: {}'), undefined);
  for (const coil of [3, 5, 6, 7]) assert.is(of(`guard: {test_coil: ${coil}}`), coil);
});

test('SVC-041 SVC-048 a value that is no relay is refused with place, value and remedy', () => {
  for (const value of ['8', '-1', '1.5', 'valve-8', 'true', 'null']) {
    const shown = JSON.stringify(
      Number.isNaN(Number(value)) && value !== 'true' && value !== 'null' ? value : JSON.parse(value),
    );
    assert.throws(
      () => of(`guard: {test_coil: ${value}}`),
      (fault: Error) =>
        fault.message.startsWith(
          `svc.yaml: guard.test_coil = ${shown}: must be 0..7, a relay of the valve board`,
        ),
      value,
    );
  }
  assert.throws(() => of('guard: {coil: 7}'), /guard\.coil = 7: unknown key; known keys here are test_coil/);
});

test('SVC-041 a relay whose valve has a name, of the product or of svc.yaml, is refused, and the free ones are named', () => {
  assert.throws(
    () => of('guard: {test_coil: 4}'),
    /guard\.test_coil = 4: this relay is in use: valve-5 is valve-overpressure; one of 3, 5, 6, 7 is free/,
  );
  assert.throws(
    () => of('guard: {test_coil: 7}\naliases: {purge: flush, flush: Valve_8}'),
    /valve-8 is purge, flush; one of 3, 5, 6 is free\. Nothing may be wired to it/,
  );
});

test('SVC-041 a relay whose valve stands in an interlock is refused', () => {
  const rule = (states: string) => `guard: {test_coil: 6}\ninterlocks: [{id: outlet, reason: x, ${states}}]`;
  for (const states of [
    'while: {pump-main: on}, require_any: {valve_7: open}',
    'while: {zawor-7: open}, require_all: {pump: off}',
  ])
    assert.throws(() => of(rule(states)), /valve-7 is in the interlock outlet; one of 3, 5, 7 is free/);
});

test.run();
