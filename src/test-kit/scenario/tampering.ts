import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from '../../lib/random/seeded-random.ts';
import { FILES } from '../../scenario/records/run-file.ts';
import { RecordPlace } from './sample-run.ts';

/** One change of records that nobody should be able to make unseen. */
export interface Tampering {
  readonly what: string;
  /** Names of the records that are not what they were. */
  readonly runs: readonly string[];
  readonly file: string;
  /** First line of the events that differs, from 1; null for other files and for whole files. */
  readonly line: number | null;
  /** Puts back what was there. */
  undo(): void;
}

const LINE_END = 10;
const KINDS = [
  'change a byte',
  'delete a byte',
  'insert a byte',
  'delete a line',
  'insert a line',
  'swap two lines',
  'delete the file',
  'add a file',
  'swap the file between runs',
  'swap the runs',
] as const;

/** Draws a change and makes it. @param root folder of the records */
export function tamper(root: string, random: Random): Tampering {
  for (;;) {
    const made = drawn(root, random);
    if (made) return made;
  }
}

const among = <T>(list: readonly T[], random: Random): T => {
  const one = list[Math.floor(random() * list.length)];
  if (one === undefined) throw new Error('there is none');
  return one;
};

/** Undefined: what was drawn changes nothing. */
function drawn(root: string, random: Random): Tampering | undefined {
  const runs = readdirSync(root).sort();
  const run = among(runs, random);
  const file = among(readdirSync(join(root, run)).sort(), random);
  const path = join(root, run, file);
  const kind = among(KINDS, random);
  const before = readFileSync(path);
  const put = (content: Uint8Array): Tampering | undefined => {
    if (before.equals(content)) return undefined;
    writeFileSync(path, content);
    const line = file === 'events.ndjson' ? firstDifferentLine(before, Buffer.from(content)) : null;
    return {
      what: `${kind} of ${run}/${file}`,
      runs: [run],
      file,
      line,
      undo: () => writeFileSync(path, before),
    };
  };
  const at = Math.floor(random() * before.length);
  const byte = Math.floor(random() * 256);
  const lines = before.toString().split('\n');
  const [one, other] = [Math.floor(random() * lines.length), Math.floor(random() * lines.length)];
  switch (kind) {
    case 'change a byte': {
      const content = Buffer.from(before);
      content[at] = byte;
      return put(content);
    }
    case 'delete a byte':
      return put(Buffer.concat([before.subarray(0, at), before.subarray(at + 1)]));
    case 'insert a byte':
      return put(Buffer.concat([before.subarray(0, at), Buffer.from([byte]), before.subarray(at)]));
    case 'delete a line':
      return put(Buffer.from(lines.toSpliced(one, 1).join('\n')));
    case 'insert a line':
      return put(Buffer.from(lines.toSpliced(one, 0, lines[other] ?? '').join('\n')));
    case 'swap two lines':
      return put(
        Buffer.from(
          lines
            .with(one, lines[other] ?? '')
            .with(other, lines[one] ?? '')
            .join('\n'),
        ),
      );
    case 'delete the file':
      rmSync(path);
      return {
        what: `${kind} ${run}/${file}`,
        runs: [run],
        file,
        line: null,
        undo: () => writeFileSync(path, before),
      };
    case 'add a file': {
      const added = join(root, run, `added-${at}`);
      writeFileSync(added, before);
      return {
        what: `${kind} to ${run}`,
        runs: [run],
        file: `added-${at}`,
        line: null,
        undo: () => rmSync(added),
      };
    }
    case 'swap the file between runs':
      return swapFiles(root, file, [run, among(runs, random)]);
    case 'swap the runs':
      return swapRuns(root, [run, among(runs, random)]);
  }
}

const REMOVALS = [
  'nothing else',
  'change the file',
  'delete the file',
  'remove the ending',
  'remove the ending and the last events',
  'remove the ending and change the file',
  'remove the key of the run',
] as const;

/** Deletes the seal of a drawn record, together with another change of it. @param root folder of the records */
export function removeSeal(root: string, random: Random): Tampering {
  const run = among(readdirSync(root).sort(), random);
  const folder = join(root, run);
  const before = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  const kind = among(REMOVALS, random);
  const file = among([...before.keys()].filter((name) => name !== FILES.seal).sort(), random);
  rmSync(join(folder, FILES.seal));
  if (kind === 'remove the key of the run') new RecordPlace(dirname(root)).makeOld(run);
  if (kind.startsWith('remove the ending')) removeEnding(join(folder, FILES.run));
  if (kind.endsWith('the last events')) removeLines(join(folder, FILES.events), random);
  if (kind === 'delete the file') rmSync(join(folder, file));
  if (kind.endsWith('change the file')) changeByte(join(folder, file), random);
  const undo = () => {
    for (const name of readdirSync(folder)) if (!before.has(name)) rmSync(join(folder, name));
    for (const [name, content] of before) writeFileSync(join(folder, name), content);
  };
  return { what: `delete the seal of ${run} and ${kind} (${file})`, runs: [run], file, line: null, undo };
}

function removeEnding(path: string): void {
  const file = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, `${JSON.stringify({ ...file, ending: null, events: null }, null, 1)}\n`);
}

function removeLines(path: string, random: Random): void {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const kept = lines.slice(0, Math.floor(random() * lines.length));
  writeFileSync(path, kept.map((line) => `${line}\n`).join(''));
}

function changeByte(path: string, random: Random): void {
  const content = readFileSync(path);
  const at = Math.floor(random() * content.length);
  content[at] = ((content[at] ?? 0) + 1) % 256;
  writeFileSync(path, content);
}

function swapFiles(root: string, file: string, [a, b]: readonly [string, string]): Tampering | undefined {
  const [pathA, pathB] = [join(root, a, file), join(root, b, file)];
  const [textA, textB] = [readFileSync(pathA), readFileSync(pathB)];
  if (textA.equals(textB)) return undefined;
  const write = (first: Uint8Array, second: Uint8Array) => {
    writeFileSync(pathA, first);
    writeFileSync(pathB, second);
  };
  write(textB, textA);
  return {
    what: `swap ${file} of ${a} and ${b}`,
    runs: [a, b],
    file,
    line: null,
    undo: () => write(textA, textB),
  };
}

function swapRuns(root: string, [a, b]: readonly [string, string]): Tampering | undefined {
  if (a === b) return undefined;
  const swap = () => {
    const aside = join(root, '.aside');
    renameSync(join(root, a), aside);
    renameSync(join(root, b), join(root, a));
    renameSync(aside, join(root, b));
  };
  swap();
  return {
    what: `swap the folders of ${a} and ${b}`,
    runs: [a, b],
    file: 'run.json',
    line: null,
    undo: swap,
  };
}

function firstDifferentLine(before: Buffer, after: Buffer): number {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  return before.subarray(0, at).filter((one) => one === LINE_END).length + 1;
}
