import process from 'node:process';
import { systemClock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { StartRefusedError } from '../../lib/http/exposure.ts';
import { validate } from '../../lib/http/inputs.ts';
import { contextOf } from '../../window/operations/context.ts';
import { doJob } from '../../window/operations/job.ts';
import { type Performer, perform } from '../../window/operations/perform.ts';
import type { Operation, RequestBody } from '../../window/operations/request.ts';
import { readProgram } from '../../window/program/read-program.ts';
import { renderProgram } from '../../window/render/render.ts';
import type { Order } from './command-line.ts';
import { writeDebugFiles } from './debug-files.ts';
import { anyFailure, failureOf } from './failures.ts';
import { operationRoute } from './operation-routes.ts';
import { modelSettings, windowSettings } from './settings.ts';

const EXIT_USAGE = 2;

export interface CommandResult {
  exitCode: number;
  /** One document; undefined when there is nothing to report to programs. */
  document: object | undefined;
  /** For people. */
  message: string | undefined;
}

/** Does what the command line asks for, in this process. */
export async function runCommand(order: Order, env: NodeJS.ProcessEnv = process.env): Promise<CommandResult> {
  try {
    const context = contextOf(windowSettings(env), systemClock);
    try {
      if (order.kind === 'render') {
        const { program } = await readProgram(context.access, order.file);
        await renderProgram(program, context.access.absolute(order.out));
        return {
          exitCode: 0,
          document: {
            ok: true,
            program: context.access.absolute(order.file),
            out: context.access.absolute(order.out),
          },
          message: undefined,
        };
      }
      const performer: Performer = {
        run: (job) => doJob(context, job),
        clock: systemClock,
        model: modelSettings(env),
      };
      const document = await perform(
        performer,
        order.operation,
        checkedBody(performer, order.operation, order.body),
      );
      if (order.debugDir !== undefined) await writeDebugFiles(context, order.debugDir, document);
      return { exitCode: 0, document, message: undefined };
    } finally {
      await context.texts.close();
    }
  } catch (thrown) {
    if (thrown instanceof StartRefusedError)
      return { exitCode: EXIT_USAGE, document: undefined, message: thrown.message };
    const { reply, exitCode } = anyFailure(thrown);
    const isDefect = failureOf(thrown) === undefined && reply.status === 500;
    const message =
      isDefect && thrown instanceof Error ? (thrown.stack ?? thrown.message) : messageOf(thrown);
    return { exitCode, document: reply.body as object, message };
  }
}

/** By the service's own check, so that both refuse alike. @throws HttpError `invalid_parameter` */
function checkedBody(performer: Performer, operation: Operation, body: Record<string, unknown>): RequestBody {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  return validate(operationRoute(performer, operation), { params: {}, query: {}, body: given })
    .body as RequestBody;
}
