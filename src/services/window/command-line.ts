import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { version } from '../../lib/version.ts';
import { OPERATIONS, type Operation } from '../../window/operations/request.ts';

/** What the command line asks for. */
export type Order =
  | { kind: 'operation'; operation: Operation; body: Record<string, unknown>; debugDir: string | undefined }
  | { kind: 'render'; file: string; out: string };

/** @returns undefined when it only wanted to be told about the program. @throws CommanderError */
export function parseCommandLine(args: readonly string[]): Order | undefined {
  let order: Order | undefined;
  const command = new Command('svc-window')
    .description(
      'Window analysis: screen images to visual programs. Each operation prints its document as JSON.',
    )
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'svc-window: ')) });
  command
    .command('serve')
    .description('serve the operations over HTTP: svc-window serve [--host 127.0.0.1] [--port 8216]');
  for (const operation of OPERATIONS) {
    const sub = command
      .command(operation)
      .description(DESCRIPTIONS[operation])
      .allowExcessArguments(false)
      .option('--image <path>', 'image: PNG, also JPEG and WebP')
      .option('--file <path>', 'program file')
      .option('--locale <code>', 'language of the texts: pl, en')
      .option('--grid <cells>', 'cells a side, 2..256', wholeNumber)
      .addOption(new Option('--translate-mode <mode>', 'auto, catalog or offline'))
      .option('--save', 'diagnose: store the result in the program')
      .option('--with-grid', 'analyze, adopt: add the grid as a layer')
      .option('--live', 'summary: refresh the program first')
      .option('--no-ocr', 'detect, adopt, diagnose: leave the texts unread');
    if (operation === 'detect')
      sub.option('--debug <folder>', 'also write a picture with the boxes and the document');
    sub.action((options: Record<string, unknown>) => {
      const { debug, translateMode, withGrid, ocr, ...rest } = options;
      const body = {
        ...rest,
        translate_mode: translateMode,
        with_grid: withGrid,
        ...(ocr === false ? { ocr } : {}),
      };
      order = { kind: 'operation', operation, body, debugDir: typeof debug === 'string' ? debug : undefined };
    });
  }
  command
    .command('render <file>')
    .description('draw a program')
    .requiredOption('--out <path>', 'picture: *.svg or *.png')
    .action((file: string, { out }: { out: string }) => {
      order = { kind: 'render', file, out };
    });
  try {
    command.parse(args, { from: 'user' });
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return undefined;
    throw thrown;
  }
  return order;
}

const DESCRIPTIONS: Readonly<Record<Operation, string>> = {
  detect: 'detect the elements of an image',
  compare: 'compare an image with the fingerprint of a program',
  refresh: 'refresh what a program keeps of its image',
  diagnose: 'report what an image shows and whether a language model is worth asking',
  analyze: 'make a program of an image as a grid of colours',
  adopt: 'make a program of the elements of an image',
  summary: 'sum up a program',
};

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('a whole number is wanted.');
  return Number(text);
}
