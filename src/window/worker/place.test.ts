import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { PROGRAM_BYTES, READER_BYTES, THREAD_BYTES } from './demand.ts';
import { placeFor, type Tenant } from './place.ts';

const test = suite('the place of a job');

const MB = 1024 * 1024;
const idle: Tenant = { isBusy: false, isReader: false, pictureBytes: 0 };
const reader: Tenant = { ...idle, isReader: true };
const busy = (tenant: Tenant, pictureBytes = 0): Tenant => ({ ...tenant, isBusy: true, pictureBytes });
const plain = (bytes: number) => ({ bytes, readsText: false });
const text = (bytes: number) => ({ bytes, readsText: true });
const rules = (memoryBytes: number, size = 4) => ({ size, memoryBytes });
const MUCH = rules(4000 * MB);

test('a job takes a thread without work, else a new one while there may be more, else none', () => {
  const [one, other] = [busy({ ...idle }), { ...idle }];
  assert.is(placeFor([one, other], plain(0), MUCH)?.thread, other);
  assert.equal(placeFor([one], plain(0), MUCH), { thread: undefined, ending: [] });
  assert.is(placeFor([one], plain(0), rules(4000 * MB, 1)), undefined);
});

test('there is one reader: a text waits for it, and other jobs leave it alone while they can', () => {
  const free = { ...reader };
  assert.is(placeFor([{ ...idle }, free], text(0), MUCH)?.thread, free);
  assert.is(placeFor([{ ...idle }, busy(reader)], text(0), MUCH), undefined);
  assert.equal(placeFor([free], plain(0), MUCH), { thread: undefined, ending: [] });
  assert.is(placeFor([free], plain(0), rules(4000 * MB, 1))?.thread, free);
});

test('a job waits while its pictures and those of the others are more than the memory', () => {
  const threads = [busy(idle, 50 * MB), { ...idle }];
  const memory = PROGRAM_BYTES + 2 * THREAD_BYTES + 80 * MB;
  assert.is(placeFor(threads, plain(30 * MB), rules(memory))?.thread, threads[1]);
  assert.is(placeFor(threads, plain(31 * MB), rules(memory)), undefined);
});

test('threads without work end for a job that has no room beside them, a reader last', () => {
  const [one, free] = [{ ...idle }, { ...reader }];
  const memory = PROGRAM_BYTES + 2 * THREAD_BYTES + READER_BYTES + 10 * MB;
  const small = placeFor([one, free], plain(10 * MB), rules(memory));
  assert.equal([small?.thread === one, small?.ending], [true, []]);
  const large = placeFor([one, free], plain(11 * MB), rules(memory));
  assert.equal([large?.thread === free, large?.ending], [true, [one]]);
  const larger = placeFor([one, free], plain(60 * MB), rules(memory));
  assert.equal([larger?.thread === one, larger?.ending], [true, [free]]);
});

test('a large picture is read in a new reader, which has no recognizers yet while it finds the elements', () => {
  const free = { ...reader };
  const memory = PROGRAM_BYTES + THREAD_BYTES + READER_BYTES + 20 * MB;
  assert.is(placeFor([free], text(20 * MB), rules(memory))?.thread, free);
  assert.equal(placeFor([free], text(100 * MB), rules(memory)), { thread: undefined, ending: [free] });
});

test('what is larger than the memory is done, but alone', () => {
  const free = { ...idle };
  assert.is(placeFor([busy(idle), free], plain(900 * MB), rules(400 * MB)), undefined);
  const former = { ...reader };
  const alone = placeFor([free, former], plain(900 * MB), rules(400 * MB));
  assert.equal([alone?.thread === free, alone?.ending], [true, [former]]);
  assert.equal(placeFor([], plain(900 * MB), rules(400 * MB)), { thread: undefined, ending: [] });
});

test.run();
