import * as assert from 'uvu/assert';
import type { TraceEntry } from '../../../../src/bench/trace/trace-entry.ts';
import { suite } from '../../../../src/test-kit/suite.ts';
import { CHARACTER_MS, floorOf, framesOf, GAP_MS } from './wire.ts';

const test = suite('frames on the wire');
const ZERO = { atMs: 1000, uncertaintyMs: 0 };
const READ = '01 01 00 00 00 08 3D CC';
const READ_ANSWER = '01 01 01 00 51 88';
const ALL_OFF = '01 05 00 FF 00 00 FD FA';

const entry = (kind: 'in' | 'out', at_ms: number, bytes: string, device = 'modbus-io') =>
  ({ n: 1, at_ms, at: '', device, kind, bytes }) as TraceEntry;
const near = (value: number | undefined, wanted: number) =>
  assert.ok(value !== undefined && Math.abs(value - wanted) < 1e-6, `${value}, wanted ${wanted}`);

test('a request had passed 3.5 characters before the twin got it, an answer begins when it is given', () => {
  const [request, answer] = framesOf(
    [entry('in', 50, ALL_OFF), entry('out', 50, ALL_OFF), entry('in', 51, ALL_OFF, 'pump')],
    ZERO,
  );
  near(request?.endedMs, 1050 - GAP_MS);
  near(request?.beganMs, 1050 - GAP_MS - 8 * CHARACTER_MS);
  near(answer?.beganMs, 1050);
  near(answer?.endedMs, 1050 + 8 * CHARACTER_MS);
  assert.equal([request?.isAllOff, answer?.isAllOff], [true, false]);
});

test('the floor on an idle line is the frame, on a busy one also what is in flight and its silence', () => {
  const frames = framesOf([entry('in', 50, READ), entry('out', 50, READ_ANSWER)], ZERO);
  near(floorOf(frames, 1500, 8).lastMs, 8 * CHARACTER_MS);
  const answerEndsMs = 1050 + 6 * CHARACTER_MS;
  for (const wishedMs of [1048, 1051]) {
    const { firstMs, lastMs } = floorOf(frames, wishedMs, 8);
    near(firstMs, answerEndsMs + GAP_MS - wishedMs);
    near(lastMs, firstMs + 8 * CHARACTER_MS);
  }
});

test.run();
