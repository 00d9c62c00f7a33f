import { request } from 'node:http';
import type { SafetyRig } from '../safety-rig.ts';
import { machineMs } from './machine-time.ts';
import { PAGE_WAYS } from './page-ways.ts';
import type { FirstByteProxy } from './proxy.ts';

/** What was seen of one stop. Milliseconds of the machine's monotonic clock. */
export interface Asked {
  /** The moment that counts: the request, the command's first byte, or the moment from which the bridge is blocked. */
  atMs: number;
  /** Start of the command, where there is one. */
  commandMs?: number;
  /** End of the command, or of the answer. */
  endedMs?: number;
  /** The program that made the rig safe, where it says so. */
  by?: string;
}

export interface Way {
  name: string;
  saturated: boolean;
  /** Attacks that go on meanwhile, by the beginning of their names (test-hil/rig/http/attacks.ts). */
  attacks?: readonly string[];
  /** Last byte of the all-off frame, p99, after what has to be noticed first. */
  aimMs: number;
  /** What has to be noticed before anybody else may act, and the longest that takes by rule (docs/guard.md). */
  detection?: { ms: number; why: string };
  /** The bridge is not the same afterwards. */
  killsBridge: boolean;
  /** What comes before the line, and is part of the floor. */
  bare?: string;
  open(rig: SafetyRig, proxy: FirstByteProxy, proxyUrl: string): Promise<Session>;
}

/** What is used for all trials of one way. */
export interface Session {
  /** Switches something on, where it is not switched on by hand. */
  actuate?(): Promise<void>;
  stop(): Promise<Asked>;
  /** After the all-off frame. @returns the floor of what came before the line, ms */
  after?(): Promise<number>;
  close?(): Promise<void>;
}

const IDLE_MS = 50;
const SATURATED_MS = 100;

/** `POST /safe-state` on a connection of its own. */
async function byRequest(rig: SafetyRig, { mayBeIncomplete = false } = {}): Promise<Asked> {
  const atMs = machineMs();
  const { status, body } = await new Promise<{ status: number; body: string }>((resolve, reject) => {
    const outgoing = request(
      `${rig.bridgeUrl}/api/v1/hardware/safe-state`,
      { method: 'POST', agent: false },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, body }));
      },
    );
    outgoing.once('error', reject);
    outgoing.end();
  });
  const asked = { atMs, endedMs: machineMs() };
  if (status === 200) return mayBeIncomplete ? { ...asked, by: 'svc-bridge' } : asked;
  if (status === 503 && mayBeIncomplete) return { ...asked, by: 'svc-bridge, with a step that was too late' };
  throw new Error(`POST safe-state was answered with ${status}: ${body}`);
}

/** `svcctl stop`, seen by the proxy. */
async function byCommand(rig: SafetyRig, proxy: FirstByteProxy, proxyUrl: string): Promise<Asked> {
  proxy.takeFirstMs();
  const commandMs = machineMs();
  const { code, stdout, stderr } = await rig.stopBy(proxyUrl).ended;
  const endedMs = machineMs();
  if (code !== 0) throw new Error(`svcctl stop ended with ${code}: ${stdout}${stderr}`);
  const atMs = proxy.takeFirstMs();
  if (atMs === undefined) throw new Error(`svcctl stop did not ask the bridge: ${stdout}${stderr}`);
  const { by } = JSON.parse(stdout) as { by: string };
  return { atMs, commandMs, endedMs, by };
}

function block(rig: SafetyRig, signal: 'SIGSTOP' | 'SIGUSR2'): number {
  process.kill(rig.pidOf('svc-bridge'), signal);
  return machineMs();
}

const ATTACKS = [
  '3,000 pipelined GETs of /health',
  '500 connections with half a head',
  '200 readers of a sensor',
];

const SILENT = { ms: 2000, why: 'a silence of 2 s' };

export const WAYS: readonly Way[] = [
  ...[false, true].flatMap((saturated): Way[] => {
    const kind = { saturated, aimMs: saturated ? SATURATED_MS : IDLE_MS };
    return [
      {
        ...kind,
        name: 'a  POST /safe-state',
        killsBridge: false,
        open: async (rig) => ({ stop: () => byRequest(rig) }),
      },
      {
        ...kind,
        name: 'b  svcctl stop',
        killsBridge: false,
        open: async (...on) => ({ stop: () => byCommand(...on) }),
      },
    ];
  }),
  ...(['SIGSTOP', 'SIGUSR2'] as const).flatMap((signal): Way[] => {
    const how = signal === 'SIGSTOP' ? 'stopped bridge' : 'busy bridge';
    return [
      ...[false, true].map(
        (saturated): Way => ({
          name: `c  ${how}, svcctl stop`,
          saturated,
          aimMs: saturated ? SATURATED_MS : IDLE_MS,
          killsBridge: true,
          open: async (rig, proxy, proxyUrl) => ({
            stop: () => {
              block(rig, signal);
              return byCommand(rig, proxy, proxyUrl);
            },
          }),
        }),
      ),
      {
        name: `d  ${how}, nobody asks`,
        saturated: false,
        aimMs: IDLE_MS,
        detection: SILENT,
        killsBridge: true,
        open: async (rig) => ({ stop: async () => ({ atMs: block(rig, signal) }) }),
      },
    ];
  }),
  {
    name: 'e  POST /safe-state under attack',
    saturated: false,
    attacks: ATTACKS,
    aimMs: SATURATED_MS,
    killsBridge: false,
    // A machine that is short of processors may not get through all steps in time; the frame is what is measured.
    open: async (rig) => ({ stop: () => byRequest(rig, { mayBeIncomplete: true }) }),
  },
  ...PAGE_WAYS,
];
