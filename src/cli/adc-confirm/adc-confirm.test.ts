import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Command } from 'commander';
import * as assert from 'uvu/assert';
import { CodedError } from '../../lib/errors/coded-error.ts';
import { ChipLedger } from '../../rig/adc/chip-ledger.ts';
import { readAdcSource } from '../../rig/adc/confirmation.ts';
import { ON_BOARD, type Sources } from '../../rig/adc/source.ts';
import { SourceLedger } from '../../rig/adc/source-ledger.ts';
import { suite } from '../../test-kit/suite.ts';
import { CliError } from '../errors/cli-error.ts';
import { type Io, processIo } from '../io/io.ts';
import { adcConfirmCommandLine } from '../svcctl/commands/adc-confirm.ts';

interface Context {
  folder: string;
}

const test = suite<Context>('svcctl adc-confirm');

const ON_BANK: Sources = {
  ...ON_BOARD,
  ai02: { adapter: 'bank', input: 'ch0', url: 'http://bank', bank_id: 'bank-0' },
};

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'confirm-'));
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true, force: true }));

/** As svc-adc-stack does at its start. */
const started = (stateDir: string, sources: Sources) =>
  new SourceLedger({ stateDir, sources, log: () => {} }).begin();

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
  error: string;
}

/** One invocation in this process. @param answer what is typed on a terminal; undefined: there is none */
async function confirm(
  folder: string,
  args: readonly string[] = [],
  answer?: string | (() => string),
): Promise<Ended> {
  const texts = { stdout: '', stderr: '' };
  const caught = (name: 'stdout' | 'stderr') =>
    Object.assign(Object.create(process[name]) as NodeJS.WriteStream, {
      write: (text: string) => {
        texts[name] += text;
        if (typeof answer === 'function' && text.includes('Type yes')) stdin.end(answer());
        return true;
      },
    });
  const stdin = new PassThrough();
  if (typeof answer === 'string') stdin.end(answer);
  const { env, cwd, clock, fetch } = processIo();
  const io: Io = {
    env: { ...env, SVC_STATE_DIR: folder },
    cwd,
    clock,
    fetch,
    stdin: Object.assign(stdin as unknown as NodeJS.ReadStream, { isTTY: answer !== undefined }),
    stdout: caught('stdout'),
    stderr: caught('stderr'),
  };
  let code = 0;
  const program = new Command('svcctl').exitOverride();
  adcConfirmCommandLine(program, io, (exitCode) => {
    code = exitCode;
  });
  try {
    await program.parseAsync(['adc-confirm', ...args], { from: 'user' });
    return { code, ...texts, error: '' };
  } catch (thrown) {
    if (!(thrown instanceof CodedError)) throw thrown;
    return { code: thrown instanceof CliError ? thrown.exitCode : 3, ...texts, error: thrown.message };
  }
}

const ADDRESS = 'hid:04d8:00dd';
/** As an ADC service does when it has opened a chip. @returns why its voltages are not served */
const plugged = (stateDir: string, factory: string) =>
  new ChipLedger({ stateDir, address: ADDRESS, configured: undefined, log: () => {} }).objection({
    factory,
    usb: '0000000000',
  });

const isRequired = (folder: string) => readAdcSource(folder).isConfirmationRequired;

test('SVC-024 a person sees the old and the new source and types yes', async ({ folder }) => {
  started(folder, ON_BOARD);
  started(folder, ON_BANK);
  assert.ok(isRequired(folder));
  const { code, stdout, stderr } = await confirm(folder, [], 'yes\n');
  assert.is(code, 0);
  assert.match(stdout, /ai02 +DFR1184\.AIN1 on board +bank-0\/ch0 at http:\/\/bank +changed/);
  assert.match(stdout, /ai01 +MCP2221A\.G1 on board +MCP2221A\.G1 on board\n/);
  assert.match(stderr, /Type yes to confirm/);
  assert.not(isRequired(folder));
});

test('SVC-024 every other answer, and none, changes nothing', async ({ folder }) => {
  started(folder, ON_BOARD);
  started(folder, ON_BANK);
  const before = readFileSync(join(folder, 'adc-source.json'), 'utf8');
  for (const answer of ['\n', 'y\n', 'no\n', 'yes please\n', '']) {
    const { code, stdout } = await confirm(folder, [], answer);
    assert.is(code, 1, JSON.stringify(answer));
    assert.match(stdout, 'not confirmed: nothing was changed');
  }
  assert.is(readFileSync(join(folder, 'adc-source.json'), 'utf8'), before);
});

test('SVC-024 sources that change while the person thinks are not confirmed unseen', async ({ folder }) => {
  started(folder, ON_BOARD);
  started(folder, ON_BANK);
  const { code, error } = await confirm(folder, [], () => {
    started(folder, {
      ...ON_BANK,
      ai03: { adapter: 'bank', input: 'ch1', url: 'http://bank', bank_id: 'bank-0' },
    });
    return 'yes\n';
  });
  assert.is(code, 3);
  assert.match(error, 'the source of ai03 became bank-0/ch1 at http://bank in the meantime');
  assert.ok(isRequired(folder));
});

test('DEV-052 a person sees the chip that belongs here and the one that is plugged in, and types yes', async ({
  folder,
}) => {
  plugged(folder, '01234567');
  assert.match(plugged(folder, '76543210') ?? '', 'run svcctl adc-confirm');
  const refused = await confirm(folder, [], 'no\n');
  assert.is(refused.code, 1);
  assert.match(
    refused.stdout,
    /hid:04d8:00dd +factory serial 01234567, .* +factory serial 76543210, .* +changed/,
  );
  assert.ok(plugged(folder, '76543210'));
  assert.is((await confirm(folder, [], 'yes\n')).code, 0);
  assert.is(plugged(folder, '76543210'), undefined);
  assert.match(plugged(folder, '01234567') ?? '', 'factory serial 76543210');
});

test('DEV-052 sources and chip are confirmed together; nothing to confirm when both are as before', async ({
  folder,
}) => {
  started(folder, ON_BOARD);
  started(folder, ON_BANK);
  plugged(folder, '01234567');
  plugged(folder, '76543210');
  const { code, stdout } = await confirm(folder, ['--yes', '--json']);
  const document = JSON.parse(stdout) as { channels: unknown[]; chips: { before: string; now: string }[] };
  assert.equal([code, document.channels.length], [0, 3]);
  assert.equal(
    document.chips.map(({ before, now }) => [before, now]),
    [['factory serial 01234567, USB serial 0000000000', 'factory serial 76543210, USB serial 0000000000']],
  );
  assert.equal([isRequired(folder), plugged(folder, '76543210')], [false, undefined]);
  assert.match((await confirm(folder)).stdout, 'nothing to confirm');
});

test('DEV-052 a chip that is swapped while the person thinks is not confirmed unseen', async ({ folder }) => {
  plugged(folder, '01234567');
  plugged(folder, '76543210');
  const { code, error } = await confirm(folder, [], () => {
    plugged(folder, '11111111');
    return 'yes\n';
  });
  assert.is(code, 3);
  assert.match(error, 'the chip at hid:04d8:00dd became another one (factory serial 11111111');
  assert.ok(plugged(folder, '76543210'));
  assert.ok(plugged(folder, '11111111'));
});

test('without a terminal it is refused, unless --yes says so', async ({ folder }) => {
  started(folder, ON_BOARD);
  started(folder, ON_BANK);
  const refused = await confirm(folder);
  assert.is(refused.code, 2);
  assert.match(refused.error, '--yes');
  assert.ok(isRequired(folder));
  const { code, stdout } = await confirm(folder, ['--yes', '--json']);
  assert.is(code, 0);
  const document = JSON.parse(stdout) as Record<string, unknown>;
  assert.equal([document.ok, document.isConfirmationRequired], [true, false]);
  assert.not(isRequired(folder));
});

test('where nothing has changed there is nothing to confirm', async ({ folder }) => {
  started(folder, ON_BOARD);
  const before = readFileSync(join(folder, 'adc-source.json'), 'utf8');
  const { code, stdout } = await confirm(folder);
  assert.is(code, 0);
  assert.match(stdout, 'nothing to confirm');
  assert.is(readFileSync(join(folder, 'adc-source.json'), 'utf8'), before);
});

test('a missing or damaged fingerprint is an error that names the file, never a confirmation', async ({
  folder,
}) => {
  const missing = await confirm(folder, ['--yes']);
  assert.is(missing.code, 3);
  assert.match(missing.error, join(folder, 'adc-source.json'));
  writeFileSync(join(folder, 'adc-source.json'), '{"schema_version":1}');
  const damaged = await confirm(folder, ['--yes']);
  assert.is(damaged.code, 3);
  assert.match(damaged.error, /damaged/);
});

test('--state-dir names the folder', async ({ folder }) => {
  started(folder, ON_BOARD);
  const { code, stdout } = await confirm('/nowhere', ['--state-dir', folder]);
  assert.is(code, 0);
  assert.match(stdout, folder);
});

test.run();
