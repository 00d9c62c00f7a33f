import * as assert from 'uvu/assert';
import { suite } from '../../../../src/test-kit/suite.ts';
import { driftOf } from './drift.ts';
import { activeResources, type ProcessSample, sampleProcess } from './process-samples.ts';

const test = suite('drift of processes under a long load');

const MB = 1024 * 1024;
const samplesOf = (memoryMb: (minute: number) => number, resources?: number): ProcessSample[] =>
  Array.from({ length: 60 }, (_, minute) => ({
    atMs: minute * 60_000,
    memoryBytes: memoryMb(minute) * MB,
    descriptors: 30,
    threads: 11,
    resources,
  }));
const grown = (samples: ProcessSample[]) =>
  driftOf(samples, 600_000).flatMap(({ quantity, hasGrown }) => (hasGrown ? [quantity] : []));

test('growth before the end of the warm-up and the sawtooth of a heap are no drift; a leak is', () => {
  assert.equal(grown(samplesOf((minute) => Math.min(40 + 5 * minute, 90))), []);
  assert.equal(grown(samplesOf((minute) => 60 + (minute % 5))), []);
  assert.equal(grown(samplesOf((minute) => 60 + minute / 5)), ['memoryBytes']);
});

test('a descriptor that is left open now and then is found', () => {
  const leaking = samplesOf(() => 60).map((one, minute) => ({
    ...one,
    descriptors: 30 + Math.floor(minute / 6),
  }));
  assert.equal(grown(leaking), ['descriptors']);
});

test('a process without metrics has no drift of its timers, and too few samples are an error', () => {
  const quantities = driftOf(
    samplesOf(() => 60),
    0,
  ).map(({ quantity }) => quantity);
  assert.equal(quantities, ['memoryBytes', 'descriptors', 'threads']);
  assert.throws(
    () =>
      driftOf(
        samplesOf(() => 60),
        55 * 60_000,
      ),
    /5 samples after the warm-up/,
  );
});

test('this process is sampled, one that has ended is not', async () => {
  const own = sampleProcess(process.pid);
  assert.ok(own && own.memoryBytes > MB && own.descriptors > 3 && own.threads > 3, JSON.stringify(own));
  assert.is(sampleProcess(2 ** 22 + 1), undefined);
  assert.is(await activeResources('http://127.0.0.1:1'), undefined);
});

test.run();
