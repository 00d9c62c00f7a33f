import { quote } from '../../format/words.ts';
import { apiPathFault } from '../../forms/api-path.ts';
import { isOpen } from '../../forms/args.ts';
import type { InstructionOf } from '../../program/instruction.ts';
import { endingRun, RunFault, toFault } from '../../rig/fault.ts';
import type { Command } from '../../run/command.ts';
import { applyEffects, contextOf, reportProblems } from '../../safety/actuator-effects.ts';
import type { BlockWalk } from '../../safety/block-walk.ts';
import { CALL_MS, capped } from '../../safety/costs.ts';
import { checkInterlocks } from '../../safety/interlock-check.ts';
import { madeSafe } from '../../safety/made-safe.ts';
import { join, type State } from '../../safety/state.ts';
import { defineCommand } from '../define-command.ts';
import { apiEffect } from './api-effect.ts';

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** JSON text, interpolated, then parsed. */
  readonly body?: string;
}

declare module '../../forms/form.ts' {
  interface Forms {
    api: Call;
  }
}

declare module '../../program/instruction.ts' {
  interface Operations {
    api: Call;
  }
}

export const api = defineCommand({
  words: {
    API_GET: {
      since: 2,
      args: 'path:path',
      effect: 'network',
      doc: 'Real request to the bridge (/health, /api/v1/...) or the server (/api/...).',
      examples: ["API_GET '/api/v1/hardware/health'"],
    },
    API_POST: {
      since: 2,
      args: 'path:path body:json?',
      effect: 'network',
      doc: 'Real request, under the lease.',
      examples: ["API_POST '/api/v1/hardware/safe-state'"],
    },
    API_PUT: {
      since: 2,
      args: 'path:path body:json?',
      effect: 'network',
      doc: 'Real request, under the lease.',
      examples: [`API_PUT '/api/v1/peripherals/lamp' '{"currentValue": 1, "targetValue": 1}'`],
    },
    API_DELETE: {
      since: 2,
      args: 'path:path',
      effect: 'network',
      doc: 'Real request, under the lease.',
      examples: ["API_DELETE '/api/v1/peripherals/lamp'"],
    },
  },
  form: 'api',
  parse(args) {
    const method = args.command.slice('API_'.length) as Call['method'];
    const path = args.need('a path', `API_${method} '/api/v1/state'`);
    if (!path) return undefined;
    const fault = apiPathFault(path.text);
    if (fault) args.report('SCN260', `${path.text}: ${fault}`, path.pos);
    if (method === 'GET' || method === 'DELETE') args.end();
    const body = args
      .rest()
      .map((token) => (token.kind === 'bracket' ? `[${token.text}]` : token.text))
      .join(' ');
    if (body !== '' && !isOpen(body) && !isJson(body))
      args.report(
        'SCN261',
        `the body is not valid JSON: ${body.slice(0, 60)}; quote it as one text`,
        args.pos,
      );
    return { form: 'api', method, path: path.text, ...(body === '' ? {} : { body }) };
  },
  print: ({ path, body }, command) =>
    `${command} ${quote(path)}${body === undefined ? '' : ` ${quote(body)}`}`,
  compile({ method, path, body }, line) {
    line.body.noteText(path, line.pos);
    line.push({ op: 'api', method, path, ...(body === undefined ? {} : { body }) });
  },
  operations: {
    api: {
      plan: ({ method, path, body }) => `api ${method} ${path}${body === undefined ? '' : ` ${body}`}`,
      cost: ({ method }, timeouts) => capped(method === 'GET' ? 6 * CALL_MS : CALL_MS, timeouts),
      effect: callApi,
      run: request,
    },
  },
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A refused call does not end the run, so both outcomes are possible afterwards. */
function callApi(one: InstructionOf<'api'>, state: State, walk: BlockWalk): State {
  const { analysis } = walk;
  const { changes, problems, makesSafe } = apiEffect(one, contextOf(state, walk));
  reportProblems(problems, one, walk);
  let after = walk.spend(state, walk.ownMs(one), one);
  walk.mayFail(after, one);
  for (const { peripheral, effects } of changes) {
    const acted = applyEffects(after, peripheral.id, effects, one, walk);
    checkInterlocks(one, peripheral.id, acted, analysis);
    after = join(after, acted) ?? after;
  }
  if (makesSafe) after = join(after, madeSafe(after, analysis, one)) ?? after;
  if (one.method !== 'GET') walk.failRun(after, `${walk.placeOf(one)} fails`);
  return after;
}

/** API_GET and the like: a real request. ASSERT_ commands judge its answer. */
async function request({ method, path, body }: InstructionOf<'api'>, command: Command): Promise<void> {
  const { run } = command;
  const fullPath = path.includes('$') ? run.strictText(path) : path;
  command.about(fullPath);
  run.lastAnswer = undefined;
  const json =
    body === undefined ? {} : { body: parseBody(body.includes('$') ? run.strictText(body) : body) };
  try {
    run.lastAnswer = await command.timed((signal) =>
      run.rig.call({ method, path: fullPath, ...json }, signal),
    );
  } catch (thrown) {
    const fault = toFault(thrown);
    // Other methods may have moved an actuator.
    throw method === 'GET' || fault.scn === 'SCN260' ? fault : endingRun(fault);
  }
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RunFault('SCN261', `the body is not valid JSON: ${text.slice(0, 80)}`, { cause });
  }
}
