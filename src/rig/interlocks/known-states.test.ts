import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { KnownStates } from './known-states.ts';

const test = suite('known states of actuators');

test('a command is known when it is confirmed, and unknown while it is under way or when it failed', () => {
  const states = new KnownStates();
  assert.is(states.of('valve-1'), undefined);
  const done = states.begin('valve-1', true);
  assert.is(states.of('valve-1'), undefined);
  done(true);
  assert.is(states.of('valve-1'), true);
  states.begin('valve-1', true)(undefined);
  assert.is(states.of('valve-1'), undefined);
});

test('what is being switched off does not count as held on', () => {
  const states = new KnownStates();
  states.begin('valve-1', true)(true);
  const off = states.begin('valve-1', false);
  assert.equal([states.isHeldOn('valve-1'), states.mayBeOn('valve-1')], [false, true]);
  off(undefined);
  assert.equal([states.isHeldOn('valve-1'), states.reading('valve-1')(true)], [false, 'unexpected']);
});

test('an older command that ends late changes nothing', () => {
  const states = new KnownStates();
  const open = states.begin('valve-1', true);
  states.begin('valve-1', false)(false);
  open(true);
  assert.is(states.of('valve-1'), false);
  const start = states.begin('pump-main', true);
  states.confirm('pump-main', false);
  start(undefined);
  assert.is(states.of('pump-main'), false);
});

test('a read-back counts unless a command came between', () => {
  const states = new KnownStates();
  states.reading('valve-1')(true);
  assert.is(states.of('valve-1'), true);
  const before = states.reading('valve-1');
  const done = states.begin('valve-1', true);
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

test('SVC-051 a read-back returns what is not as commanded: off by itself once, on without a command each time', () => {
  const states = new KnownStates();
  assert.is(states.reading('valve-1')(false), undefined, 'nothing was commanded, and it is off');
  states.begin('valve-1', true)(true);
  assert.is(states.reading('valve-1')(true), undefined);
  const before = states.reading('valve-1');
  assert.equal([states.reading('valve-1')(false), states.reading('valve-1')(false)], ['lost', undefined]);
  assert.is(before(true), 'unexpected');
  states.begin('valve-1', true)(true);
  const early = states.reading('valve-1');
  states.begin('valve-1', false)(false);
  assert.equal([early(true), states.reading('valve-1')(false)], [undefined, undefined]);
  const on = () => states.reading('valve-2')(true);
  assert.equal([on(), on(), states.reading('valve-2')(false)], ['unexpected', 'unexpected', undefined]);
  states.begin('valve-2', false)(undefined);
  assert.is(on(), 'unexpected', 'a close that was not confirmed');
  states.begin('valve-2', true)(undefined);
  assert.equal([on(), states.isHeldOn('valve-2')], [undefined, true], 'an opening that was not confirmed');
  states.begin('valve-2', true)(undefined);
  assert.equal([states.isHeldOn('valve-2'), on()], [true, undefined], 'a second one that was refused');
  states.begin('valve-2', false)(false);
  states.begin('valve-2', true)(undefined);
  assert.equal([states.reading('valve-2')(false), on()], [undefined, 'unexpected']);
  const end = states.begin('valve-2', true);
  assert.equal([on(), states.mayBeOn('valve-2'), states.isHeldOn('valve-2')], [undefined, true, false]);
  end(true);
  assert.equal([on(), states.isHeldOn('valve-2')], [undefined, true]);
  assert.equal([states.reading('valve-2')(false), states.isHeldOn('valve-2')], ['lost', false]);
});

test.run();
