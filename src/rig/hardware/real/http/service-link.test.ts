import * as assert from 'uvu/assert';
import { SteppedClock } from '../../../../lib/clock/stepped-clock.ts';
import type { ProblemCode } from '../../../../lib/http/problem-table.ts';
import { onSource, refusal, type TestSource } from '../../../../test-kit/rig/source.ts';
import { suite } from '../../../../test-kit/suite.ts';
import { RigError } from '../../rig-error.ts';
import { ServiceClient } from './service-client.ts';
import { ServiceLink } from './service-link.ts';

const test = suite('the way to a service that owns a device');

const WELL = { service: 'svc-pump', ok: true, message: 'OK', identified: true, mock_mode: false };
const HOLDER = { service: 'svc-guard', pid: 7, port: null, since: '2025-01-15T10:00:00.000Z' };

interface World extends TestSource {
  clock: SteppedClock;
  link: ServiceLink;
  returns: number[];
  healthSays(body: object): void;
  untilAsked(times: number): Promise<void>;
}

const onLink = (work: (world: World) => Promise<void>) =>
  onSource(async (source) => {
    const clock = new SteppedClock();
    const returns: number[] = [];
    const client = new ServiceClient({
      device: 'pump-motor',
      baseUrl: source.url,
      token: undefined,
      clock,
      timeoutMs: 2000,
    });
    const link = new ServiceLink({
      id: 'pump-motor',
      service: 'svc-pump',
      mockCode: 'wrong_device',
      client,
      clock,
      onReturn: () => returns.push(clock.monotonic()),
    });
    const healthSays = (body: object) => void source.answers.set('/health', { body });
    const untilAsked = async (times: number) => {
      while (source.asked.length < times || link.known().status === undefined) await tick();
      for (let n = 0; n < 20; n++) await tick();
    };
    healthSays(WELL);
    await work({ ...source, clock, link, returns, healthSays, untilAsked });
    await link.close();
    assert.is(clock.pending, 0, 'no timer is left');
  });

const tick = () => new Promise((done) => setImmediate(done));

test('the version of the device is what the service reports of its firmware, and never invented', () =>
  onLink(async ({ link, healthSays }) => {
    assert.not('version' in (await link.check()));
    healthSays({ ...WELL, firmware: '1.06' });
    assert.is((await link.check()).version, '1.06');
    healthSays({ ...WELL, firmware: null });
    assert.not('version' in (await link.check()));
  }));

test('well without being identified is not well; a status that is not known here is an error', () =>
  onLink(async ({ link, healthSays }) => {
    healthSays({ ...WELL, identified: false });
    assert.is((await link.check()).status, 'error');
    healthSays({ ...WELL, ok: false, status: 'burning', code: 'safe_state_incomplete' });
    const { status, code, compatible } = await link.check();
    assert.equal([status, code, compatible], ['error', 'safe_state_incomplete', false]);
  }));

test('SVC-009 nothing is sent to a service that is in mock mode, is another one, or does not say which', () =>
  onLink(async ({ link, healthSays }) => {
    assert.is(await refusal(link.mustBeReal()), 'no error but undefined');
    for (const [body, sentence] of [
      [{ ...WELL, mock_mode: true }, 'is in mock mode'],
      [{ ...WELL, service: 'svc-lung' }, 'is svc-lung, not svc-pump; correct the base_url'],
      [{ ok: true, mock_mode: false }, 'is a program without a name'],
    ] as const) {
      healthSays(body);
      await link.check();
      const text = await refusal(link.mustBeReal());
      assert.match(text, 'wrong_device: pump-motor: http://');
      assert.match(text, sentence);
    }
    const { mock_mode: _, ...silent } = WELL;
    healthSays(silent);
    await link.check();
    assert.match(await refusal(link.mustBeReal()), 'corrupt_response: pump-motor: ');
  }));

test('DEV-042 one that is not well is asked every 4 s, and its return is reported once; one that is well is left alone', () =>
  onLink(async ({ link, clock, returns, healthSays, asked, untilAsked }) => {
    await link.open();
    await clock.advance(60_000);
    assert.is(asked.length, 1);
    healthSays({ ...WELL, ok: false, status: 'timeout' });
    await link.check();
    await clock.advance(3999);
    assert.is(asked.length, 2);
    await clock.advance(1);
    await untilAsked(3);
    healthSays(WELL);
    await clock.advance(4000);
    await untilAsked(4);
    assert.equal([link.known().status, returns], ['ok', [68_000]]);
    await clock.advance(60_000);
    assert.equal([asked.length, returns.length], [4, 1]);
  }));

test('a call that reaches no service, or another one, makes it not well at once; one that was refused does not', () =>
  onLink(async ({ link, clock }) => {
    await link.open();
    const call = (code: ProblemCode, members = {}) =>
      refusal(link.told(() => Promise.reject(new RigError(code, 'pump-motor', 'x', undefined, members))));
    for (const code of ['lung_moving', 'device_busy', 'superseded', 'device_error'] as const) {
      await call(code);
      assert.equal([link.known().status, clock.pending], ['ok', 0], code);
    }
    const cases: [ProblemCode, string][] = [
      ['device_unavailable', 'error'],
      ['device_timeout', 'timeout'],
      ['corrupt_response', 'error'],
      ['wrong_device', 'incompatible'],
    ];
    for (const [code, status] of cases) {
      await call(code);
      assert.equal([link.known().status, link.known().code], [status, code]);
    }
    await call('held_by_other', { holder: HOLDER });
    assert.equal([link.known().status, link.known().holder], ['held', HOLDER]);
    await link.check();
    assert.is(link.known().status, 'ok');
  }));

test('DEV-042 calls that go on failing do not put off the asking', () =>
  onLink(async ({ link, clock, returns, untilAsked }) => {
    await link.open();
    for (let second = 0; second < 4; second++) {
      link.failed(new RigError('device_timeout', 'pump-motor', 'x'));
      await clock.advance(1000);
    }
    await untilAsked(2);
    assert.equal([link.known().status, returns], ['ok', [4000]]);
  }));

test('a caller that gives up proves nothing about the service', () =>
  onLink(async ({ link, answers, clock }) => {
    await link.open();
    answers.set('/health', 'silence');
    const gone = new AbortController();
    const asked = link.check(gone.signal);
    gone.abort(new Error('gave up'));
    assert.is((await asked).status, 'error');
    assert.equal([link.known().status, clock.pending], ['ok', 0]);
  }));

test('SVC-009 an answer of a plant is refused, and once a bench, always marked', () =>
  onLink(async ({ link, url }) => {
    const text = await refusal(link.told(async () => ({ mock: true, bench: false })));
    assert.match(text, `wrong_device: pump-motor: ${url} answers from its plant and moves nothing`);
    await link.told(async () => ({ mock: false, bench: true }));
    assert.ok((await link.check()).bench);
    assert.ok(link.origin.bench);
  }));

test.run();
