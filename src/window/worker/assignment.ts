import { PROGRAM_BYTES, READER_BYTES, THREAD_BYTES } from './demand.ts';

/** A thread as its memory is reckoned. */
export interface WorkerSlot {
  /** Has a job, or clears up after one. */
  isBusy: boolean;
  /** Has read text, and keeps what that takes. */
  isReader: boolean;
  /** Of the pictures of its job. */
  pictureBytes: number;
}

export interface Rules {
  /** Threads at most. */
  size: number;
  /** Memory of the whole service, bytes. */
  memoryBytes: number;
}

export interface Assignment<T extends WorkerSlot> {
  /** undefined: a new one. */
  thread: T | undefined;
  /** Threads without work that have to end before. */
  ending: T[];
}

/** What a job needs. */
export interface JobRequirements {
  /** Memory for its pictures. */
  bytes: number;
  readsText: boolean;
}

/**
 * Where a job is done, if it can be now: in a thread without work, or in a new one, such that the memory of all stays
 * within its limit. If need be, threads without work end for it. What the limit has no room for is done alone. There is one
 * reader at most.
 */
export function assignmentFor<T extends WorkerSlot>(
  threads: readonly T[],
  need: JobRequirements,
  { size, memoryBytes }: Rules,
): Assignment<T> | undefined {
  const isAlone = threads.every(({ isBusy }) => !isBusy);
  const places = placesFor(threads, need).filter(
    ({ thread, ending }) => thread !== undefined || threads.length - ending.length < size,
  );
  const memory = (place: Assignment<T>) => memoryWith(threads, need, place);
  const fitting = places.find((place) => memory(place) <= memoryBytes);
  return fitting ?? (isAlone ? places.toSorted((a, b) => memory(a) - memory(b))[0] : undefined);
}

type Choice<T> = T | 'new';

/** All places for a job, those that disturb least first: a reader takes longest to come back. */
function placesFor<T extends WorkerSlot>(
  threads: readonly T[],
  { readsText }: JobRequirements,
): Assignment<T>[] {
  const idle = threads.filter(({ isBusy }) => !isBusy);
  const others = idle.filter(({ isReader }) => !isReader);
  const [reader] = idle.filter(({ isReader }) => isReader);
  const isReaderBusy = threads.some(({ isBusy, isReader }) => isBusy && isReader);
  if (readsText && isReaderBusy) return [];
  const choices: Choice<T>[] = readsText && reader ? [reader, 'new'] : [...others.slice(0, 1), 'new'];
  if (!readsText && reader) choices.push(reader);
  const order = reader ? [...others, reader] : others;
  const places: Assignment<T>[] = [];
  for (let count = 0; count <= order.length; count++)
    for (const choice of choices) {
      const ending = order.filter((one) => one !== choice).slice(0, count);
      const isSecondReader = readsText && reader && choice !== reader && !ending.includes(reader);
      if (!isSecondReader) places.push({ thread: choice === 'new' ? undefined : choice, ending });
    }
  const endsReader = ({ ending }: Assignment<T>) => Number(ending.some(({ isReader }) => isReader));
  return places.sort((a, b) => endsReader(a) - endsReader(b));
}

/** Memory of the service when a job has a place, bytes. */
function memoryWith<T extends WorkerSlot>(
  threads: readonly T[],
  { bytes, readsText }: JobRequirements,
  { thread, ending }: Assignment<T>,
): number {
  const stay = threads.filter((one) => one !== thread && !ending.includes(one));
  const sum = stay.reduce((total, one) => total + bytesOf(one) + one.pictureBytes, PROGRAM_BYTES);
  if (thread?.isReader) return sum + bytesOf(thread) + bytes;
  // A new reader starts its recognizers when the elements are found: the most that finding them takes is free again.
  return sum + THREAD_BYTES + (readsText ? Math.max(READER_BYTES, bytes) : bytes);
}

function bytesOf({ isReader }: WorkerSlot): number {
  return THREAD_BYTES + (isReader ? READER_BYTES : 0);
}
