import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { assignmentFor, type WorkerSlot } from './assignment.ts';
import { PROGRAM_BYTES, READER_BYTES, THREAD_BYTES } from './demand.ts';

const test = suite('the place of a job');

const MB = 1024 * 1024;
const idle: WorkerSlot = { isBusy: false, isReader: false, pictureBytes: 0 };
const reader: WorkerSlot = { ...idle, isReader: true };
const busy = (slot: WorkerSlot, pictureBytes = 0): WorkerSlot => ({ ...slot, isBusy: true, pictureBytes });
const plain = (bytes: number) => ({ bytes, readsText: false });
const text = (bytes: number) => ({ bytes, readsText: true });
const rules = (memoryBytes: number, size = 4) => ({ size, memoryBytes });
const MUCH = rules(4000 * MB);

test('a job takes a thread without work, else a new one while there may be more, else none', () => {
  const [one, other] = [busy({ ...idle }), { ...idle }];
  assert.is(assignmentFor([one, other], plain(0), MUCH)?.thread, other);
  assert.equal(assignmentFor([one], plain(0), MUCH), { thread: undefined, ending: [] });
  assert.is(assignmentFor([one], plain(0), rules(4000 * MB, 1)), undefined);
});

test('there is one reader: a text waits for it, and other jobs leave it alone while they can', () => {
  const free = { ...reader };
  assert.is(assignmentFor([{ ...idle }, free], text(0), MUCH)?.thread, free);
  assert.is(assignmentFor([{ ...idle }, busy(reader)], text(0), MUCH), undefined);
  assert.equal(assignmentFor([free], plain(0), MUCH), { thread: undefined, ending: [] });
  assert.is(assignmentFor([free], plain(0), rules(4000 * MB, 1))?.thread, free);
});

test('a job waits while its pictures and those of the others are more than the memory', () => {
  const threads = [busy(idle, 50 * MB), { ...idle }];
  const memory = PROGRAM_BYTES + 2 * THREAD_BYTES + 80 * MB;
  assert.is(assignmentFor(threads, plain(30 * MB), rules(memory))?.thread, threads[1]);
  assert.is(assignmentFor(threads, plain(31 * MB), rules(memory)), undefined);
});

test('threads without work end for a job that has no room beside them, a reader last', () => {
  const [one, free] = [{ ...idle }, { ...reader }];
  const memory = PROGRAM_BYTES + 2 * THREAD_BYTES + READER_BYTES + 10 * MB;
  const small = assignmentFor([one, free], plain(10 * MB), rules(memory));
  assert.equal([small?.thread === one, small?.ending], [true, []]);
  const large = assignmentFor([one, free], plain(11 * MB), rules(memory));
  assert.equal([large?.thread === free, large?.ending], [true, [one]]);
  const larger = assignmentFor([one, free], plain(60 * MB), rules(memory));
  assert.equal([larger?.thread === one, larger?.ending], [true, [free]]);
});

test('a large picture is read in a new reader, which has no recognizers yet while it finds the elements', () => {
  const free = { ...reader };
  const memory = PROGRAM_BYTES + THREAD_BYTES + READER_BYTES + 20 * MB;
  assert.is(assignmentFor([free], text(20 * MB), rules(memory))?.thread, free);
  assert.equal(assignmentFor([free], text(100 * MB), rules(memory)), { thread: undefined, ending: [free] });
});

test('what is larger than the memory is done, but alone', () => {
  const free = { ...idle };
  assert.is(assignmentFor([busy(idle), free], plain(900 * MB), rules(400 * MB)), undefined);
  const former = { ...reader };
  const alone = assignmentFor([free, former], plain(900 * MB), rules(400 * MB));
  assert.equal([alone?.thread === free, alone?.ending], [true, [former]]);
  assert.equal(assignmentFor([], plain(900 * MB), rules(400 * MB)), { thread: undefined, ending: [] });
});

test.run();
