import { Command, CommanderError } from 'commander';
import * as assert from 'uvu/assert';
import { test } from '../../test-kit/suite.ts';
import { processIo } from '../io/io.ts';
import { stopCommandLine } from './commands/stop.ts';
import { plainStop } from './plain-stop.ts';

const BRIDGE = 'http://127.0.0.1:8202';

test('the ways in which a stop is typed are read at once', () => {
  const known: [args: string[], options: object][] = [
    [[], {}],
    [['--json'], { json: true }],
    [['--clear'], { clear: true }],
    [['--firmware-url', BRIDGE], { firmwareUrl: BRIDGE }],
    [[`--firmware-url=${BRIDGE}`, '--json'], { firmwareUrl: BRIDGE, json: true }],
  ];
  for (const [args, options] of known) assert.equal(plainStop(['stop', ...args]), options, args.join(' '));
});

test('everything else is left to the whole command line', () => {
  for (const args of [
    [],
    ['run', 'stop'],
    ['--json', 'stop'],
    ['stpo'],
    ['stop', '--help'],
    ['stop', 'now'],
    ['stop', '--jsn'],
  ])
    assert.is(plainStop(args), undefined, args.join(' '));
});

test('what is read at once means the same to the whole command line', () => {
  const words = [
    ...['--json', '--clear', '--clear=x', '--json=x', '--jsonx', '-j', '--', '-h', '--help', 'now', ''],
    ...[
      '--firmware-url',
      BRIDGE,
      `--firmware-url=${BRIDGE}`,
      '--firmware-urlx',
      '--firmware-url=',
      '--firmware-url==',
    ],
    '--firmware-url=a\nb',
  ];
  const lists = words.flatMap((one) =>
    words.flatMap((two) => [[one], [one, two], ...words.map((three) => [one, two, three])]),
  );
  let read = 0;
  for (const args of lists) {
    const plain = plainStop(['stop', ...args]);
    if (plain === undefined) continue;
    read++;
    assert.equal(byCommander(args), plain, JSON.stringify(args));
  }
  assert.ok(read > 100, `${read} of ${lists.length} were read`);
});

/** The options as the whole command line reads them; undefined when it refuses. */
function byCommander(args: readonly string[]): object | undefined {
  const program = new Command();
  stopCommandLine(program, processIo(), () => {});
  let found: object | undefined;
  for (const command of program.commands)
    command
      .exitOverride()
      .configureOutput({ writeOut: () => {}, writeErr: () => {} })
      .action((options: object) => {
        found = options;
      });
  try {
    program.parse(['stop', ...args], { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
  }
  return found;
}

test.run();
