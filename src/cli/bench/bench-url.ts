import { usageError } from '../errors/cli-error.ts';

const DEFAULT_BENCH_URL = 'http://127.0.0.1:8290';

/** `--bench-url`, else SVC_BENCH_URL, else the bench of this machine. @throws CliError `usage` */
export function benchUrl(
  option: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const [place, text] =
    option !== undefined
      ? ['--bench-url', option]
      : ['SVC_BENCH_URL', env.SVC_BENCH_URL || DEFAULT_BENCH_URL];
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' && url.search === '' && url.hash === '') return text.replace(/\/+$/, '');
  throw usageError(
    `${place} "${text}" is not the base of an http address: write for example ${DEFAULT_BENCH_URL}`,
  );
}
