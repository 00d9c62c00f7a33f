import * as assert from 'uvu/assert';
import { ConfigError } from '../../lib/config/config-error.ts';
import { suite } from '../../test-kit/suite.ts';
import { mergeConfig } from '../configuration/load-config.ts';
import { parseConfig, readConfigFile } from '../configuration/read-file.ts';
import { registryOf } from '../registry/registry-of.ts';
import { InterlockRules } from './interlock-rules.ts';
import { interlocksOf } from './interlocks-of.ts';
import { nearNames } from './near-names.ts';
import { stateWord } from './state-word.ts';

const test = suite('interlocks');

function rulesOf(yaml: string) {
  const config = mergeConfig(parseConfig(yaml, 'svc.yaml'), {});
  return interlocksOf(config.interlocks, registryOf(config));
}

function faultOf(yaml: string): string {
  try {
    rulesOf(yaml);
  } catch (thrown) {
    assert.instance(thrown, ConfigError);
    return (thrown as ConfigError).message;
  }
  throw new Error('no ConfigError was thrown');
}

const rule = (text: string) => `interlocks: [{id: r, reason: why, ${text}}]`;
const states = (known: Record<string, boolean>) => (id: string) => known[id];
const OUTLET = 'while: {pump: on}, require_any: {valve-nc: open, Valve_2: open}';
const BOTH = 'while: {pump-main: on}, require_all: {valve-1: open, valve-4: closed}';

test('names and aliases become the ids of the rig', () => {
  const [interlock] = rulesOf(
    `aliases: {gas: valve-8}\n${rule('while: {gas: open}, require_all: {lung: stopped}')}`,
  );
  assert.equal([...(interlock?.while ?? [])], [['valve-8', true]]);
  assert.equal([...(interlock?.states ?? [])], [['lung-main', false]]);
});

test('a name that is not an actuator is refused with its path and near names', () => {
  const message = faultOf(rule('while: {pump-mian: on}, require_any: {ai01: open}'));
  assert.match(
    message,
    'interlocks.0.while.pump-mian: pump-mian is not an actuator of the rig; did you mean pump-main?',
  );
  assert.match(message, 'interlocks.0.require_any.ai01: ai01 is not an actuator of the rig');
  assert.match(
    faultOf(`peripherals: {lamp: {}}\n${rule('while: {lamp: on}, require_any: {valve-1: open}')}`),
    'lamp is not an actuator',
  );
});

test('an actuator stands once in a rule, whatever it is called there', () => {
  assert.match(
    faultOf(rule('while: {pump: on}, require_all: {valve-1: open, valve-nc: open}')),
    'valve-1 stands in',
  );
  assert.match(faultOf(rule('while: {pump: on}, require_all: {compressor: on}')), 'pump-main stands in');
});

test('a rule that the safe state would break is refused', () => {
  assert.match(
    faultOf(rule('while: {pump-main: off}, require_any: {valve-1: open}')),
    'no safe state could keep it',
  );
  assert.is(rulesOf(rule('while: {valve-1: closed}, require_all: {pump-main: off}')).length, 1);
});

test('switching on is forbidden while a demanded state is missing or unknown', () => {
  const rules = new InterlockRules(rulesOf(rule(OUTLET)));
  const missing = (known: Record<string, boolean>) =>
    rules.brokenBySwitchingOn('pump-main', states(known)).flatMap((one) => one.missing.map(({ id }) => id));
  assert.equal(missing({ 'valve-1': false, 'valve-2': false }), ['valve-1', 'valve-2']);
  assert.equal(missing({}), ['valve-1', 'valve-2']);
  assert.equal(missing({ 'valve-2': true }), []);
  assert.equal(rules.brokenBySwitchingOn('valve-3', states({ 'pump-main': true })), []);
});

test('a change that leads towards a rule is not forbidden by it, one that leads away is', () => {
  const rules = new InterlockRules(rulesOf(rule(BOTH)));
  const on = states({ 'pump-main': true });
  assert.equal(rules.brokenBySwitchingOn('valve-1', on), [], 'the way out of a broken rule stays open');
  assert.is(rules.brokenBySwitchingOn('valve-4', on).length, 1);
  assert.is(rules.brokenBySwitchingOn('valve-4', states({})).length, 1, 'an unknown pump may be on');
  assert.equal(rules.brokenBySwitchingOn('valve-4', states({ 'pump-main': false })), []);
});

test('switching off the last demanded actuator switches off what needs it', () => {
  const rules = new InterlockRules(rulesOf(rule(OUTLET)));
  const trips = (known: Record<string, boolean>) => rules.tripsBySwitchingOff('valve-1', states(known));
  const tripped = [{ rule: 'r', off: ['pump-main'] }];
  assert.equal(trips({ 'pump-main': true, 'valve-1': true, 'valve-2': false }), tripped);
  assert.equal(trips({ 'valve-1': true, 'valve-2': false }), tripped, 'unknown may be on');
  assert.equal(trips({ 'pump-main': true, 'valve-1': true }), tripped, 'unknown is not open');
  assert.equal(
    trips({ 'pump-main': true, 'valve-2': false }),
    tripped,
    'a valve of unknown state may have been open',
  );
  assert.equal(trips({ 'pump-main': true, 'valve-1': true, 'valve-2': true }), []);
  assert.equal(trips({ 'pump-main': false, 'valve-1': true, 'valve-2': false }), []);
  assert.equal(
    trips({ 'pump-main': true, 'valve-1': false }),
    [],
    'a closed valve that is closed changes nothing',
  );
});

test('one trip entails the next, and a rule about what is closed switches off what must be', () => {
  const rules = new InterlockRules(
    rulesOf(`interlocks:
  - {id: a, reason: r, while: {pump-main: on}, require_any: {valve-1: open}}
  - {id: b, reason: r, while: {lung-main: moving}, require_all: {pump-main: on}}
  - {id: c, reason: r, while: {valve-1: closed}, require_all: {valve-7: closed}}`),
  );
  const all = states({ 'pump-main': true, 'lung-main': true, 'valve-1': true, 'valve-7': true });
  assert.equal(rules.tripsBySwitchingOff('valve-1', all), [
    { rule: 'a', off: ['pump-main'] },
    { rule: 'b', off: ['lung-main'] },
    { rule: 'c', off: ['valve-7'] },
  ]);
  assert.equal(rules.tripsBySwitchingOff('lung-main', all), []);
});

test('states are reported in the terms of their actuator', () => {
  const words = ['valve-3', 'pump-main', 'lung-main'].map((id) => [
    stateWord(id, true),
    stateWord(id, false),
  ]);
  assert.equal(words, [
    ['open', 'closed'],
    ['on', 'off'],
    ['moving', 'stopped'],
  ]);
  assert.is(stateWord('valve-3', undefined), 'unknown');
});

test('the rules of the appliance can be kept by its rig', () => {
  const { interlocks, ...config } = mergeConfig(readConfigFile('rootfs/etc/svc/svc.yaml'), {});
  const rules = interlocksOf(interlocks, registryOf({ ...config, interlocks }));
  assert.equal(
    rules.map(({ id, states: demanded }) => [id, [...demanded.keys()]]),
    [
      ['pump-outlet', ['valve-1', 'valve-2', 'valve-3']],
      ['lung-path', ['valve-1']],
    ],
  );
});

test('near names are the likeliest, best first, and none for a strange word', () => {
  const names = ['pump-main', 'lung-main', 'valve-1', 'valve-nc'];
  assert.equal(nearNames('valve_nd', names)[0], 'valve-nc');
  assert.equal(nearNames('lungmain', names), ['lung-main']);
  assert.equal(nearNames('xyz', names), []);
});

test.run();
