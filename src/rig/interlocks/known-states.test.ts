import * as assert from 'uvu/assert';
import { suite } from '../../lib/testing/suite.ts';
import { KnownStates } from './known-states.ts';

const test = suite('known states of actuators');

test('a command is known when it is confirmed, and unknown while it is under way or when it failed', () => {
  const states = new KnownStates();
  assert.is(states.of('valve-1'), undefined);
  const done = states.begin('valve-1');
  assert.is(states.of('valve-1'), undefined);
  done(true);
  assert.is(states.of('valve-1'), true);
  states.begin('valve-1')(undefined);
  assert.is(states.of('valve-1'), undefined);
});

test('an older command that ends late changes nothing', () => {
  const states = new KnownStates();
  const open = states.begin('valve-1');
  states.begin('valve-1')(false);
  open(true);
  assert.is(states.of('valve-1'), false);
  const start = states.begin('pump-main');
  states.confirm('pump-main', false);
  start(undefined);
  assert.is(states.of('pump-main'), false);
});

test('a read-back counts unless a command came between', () => {
  const states = new KnownStates();
  states.reading('valve-1')(true);
  assert.is(states.of('valve-1'), true);
  const before = states.reading('valve-1');
  const done = states.begin('valve-1');
  before(true);
  assert.is(states.of('valve-1'), undefined, 'read before, answered while the command is under way');
  const meanwhile = states.reading('valve-1');
  meanwhile(true);
  assert.is(states.of('valve-1'), undefined, 'read while the command is under way');
  done(false);
  meanwhile(true);
  before(true);
  assert.is(states.of('valve-1'), false);
});

test('a read-back tells what is not as it was commanded, once, and never what a command changed', () => {
  const states = new KnownStates();
  assert.is(states.reading('valve-1')(false), false, 'nothing was known');
  states.begin('valve-1')(true);
  assert.is(states.reading('valve-1')(true), false);
  const before = states.reading('valve-1');
  assert.equal([states.reading('valve-1')(false), states.reading('valve-1')(false)], [true, false]);
  assert.is(before(true), false);
  states.begin('valve-1')(true);
  const early = states.reading('valve-1');
  states.begin('valve-1')(false);
  assert.equal([early(false), states.reading('valve-1')(false)], [false, false]);
  assert.equal(
    [states.reading('valve-2')(true), states.reading('valve-2')(false)],
    [false, false],
    'no command',
  );
  states.begin('valve-2')(false);
  assert.equal([states.reading('valve-2')(true), states.isHeldOn('valve-2')], [true, false]);
  states.begin('valve-2')(true);
  assert.is(states.isHeldOn('valve-2'), true);
  assert.equal([states.reading('valve-2')(false), states.isHeldOn('valve-2')], [true, false]);
});

test.run();
