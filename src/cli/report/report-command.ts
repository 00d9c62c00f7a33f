import { resolve } from 'node:path';
import { writeAtomically } from '../../scenario/outputs/atomic-write.ts';
import { OutputError } from '../../scenario/outputs/output-error.ts';
import { type ReportFormat, reportText } from '../../services/server/report.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { findRecord } from '../records/find-record.ts';
import { loadFound } from '../records/load-found.ts';
import { requireWritable } from '../run/writable.ts';
import { findChromium, printPdf } from './chromium.ts';

type Format = ReportFormat | 'pdf';

export interface ReportOptions {
  readonly format: Format;
  /** Default: standard output; of a PDF the id of the run. */
  readonly output?: string;
}

/** `svcctl report`. @returns exit code @throws CliError */
export async function reportCommand(name: string, options: ReportOptions, io: Io): Promise<number> {
  const { format } = options;
  const source = await loadFound(findRecord(name, io));
  const { run_id: id } = source.file.identity;
  if (format === 'pdf') return printed(options.output ?? `${id}.pdf`, reportText('html', source), io);
  const text = reportText(format, source);
  if (options.output === undefined) io.stdout.write(text);
  else write(options.output, text, io);
  return EXIT.ok;
}

/** Without Chromium the page is there, which any browser prints. @throws CliError exit code 3 */
async function printed(output: string, html: string, io: Io): Promise<number> {
  if (!/\.pdf$/i.test(output)) throw usageError(`--output ${output}: the name of a PDF ends with .pdf`);
  const pdf = resolve(io.cwd, output);
  requireWritable('--output', pdf);
  const page = pdf.replace(/\.pdf$/i, '.html');
  write(page, html, io);
  const chromium = findChromium(io.env);
  const why = chromium
    ? await printPdf(chromium, page, pdf)
    : 'there is no Chromium in PATH (apt install chromium)';
  if (why === undefined) {
    io.stderr.write(`${pdf}\n`);
    return EXIT.ok;
  }
  const message = `no PDF was made: ${why}; the report is in ${page}: print it with any browser`;
  throw new CliError('no_pdf', message, EXIT.error);
}

/** @throws CliError exit code 3 */
function write(path: string, text: string, io: Io): void {
  try {
    writeAtomically(resolve(io.cwd, path), text);
  } catch (thrown) {
    if (!(thrown instanceof OutputError)) throw thrown;
    throw new CliError(thrown.code, thrown.message, EXIT.error, { cause: thrown });
  }
}
