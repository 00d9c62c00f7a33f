import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../lib/clock/clock.ts';
import type { Pixels } from '../../window/image/pixels.ts';
import { encodePng } from '../../window/image/png/encode.ts';
import type { ModelSettings } from '../../window/llm/ask-model.ts';
import { contextOf, type WindowContext, type WindowSettings } from '../../window/operations/context.ts';
import { doJob } from '../../window/operations/job.ts';
import { perform } from '../../window/operations/perform.ts';
import type { Operation, RequestBody } from '../../window/operations/request.ts';

export type Document = Record<string, unknown>;

/** A folder of its own for a test, with the operations on it. */
export interface TestFolder {
  path: string;
  context: WindowContext;
  file(name: string): string;
  png(name: string, pixels: Pixels): string;
  /** An operation, as the command performs it. */
  perform(operation: Operation, body: RequestBody, model?: ModelSettings): Promise<Document>;
}

/** Runs `work` in a folder that is gone afterwards. */
export async function inFolder(
  work: (folder: TestFolder) => Promise<void>,
  settings: Partial<WindowSettings> = {},
): Promise<void> {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'svc-window-')));
  const context = contextOf(
    { cwd: path, home: path, stateDir: join(path, 'state'), ...settings },
    systemClock,
  );
  const file = (name: string) => join(path, name);
  try {
    await work({
      path,
      context,
      file,
      png: (name, pixels) => {
        writeFileSync(file(name), encodePng(pixels));
        return file(name);
      },
      perform: async (operation, body, model) =>
        (await perform(
          { run: (job) => doJob(context, job), clock: systemClock, model },
          operation,
          body,
        )) as Document,
    });
  } finally {
    await context.texts.close();
    rmSync(path, { recursive: true, force: true });
  }
}

/** The code of the error with which something ends; empty when it does not. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return '';
  } catch (thrown) {
    return (thrown as { code?: string }).code ?? `no code: ${String(thrown)}`;
  }
}
