import { ConfigError } from '../../lib/config/config-error.ts';
import { processAgeMs, processIdOf, readProc } from '../../lib/proc.ts';
import type { RigConfig } from '../../rig/configuration/load-rig-config.ts';
import { GUARD_UNITS, guardUnitOf, isGuardOfSystemd } from '../../rig/profiles/guard-units.ts';
import { ADC_SERVICES, type Profile, servicesOf } from '../../rig/profiles/profile.ts';
import { RIG_SERVICES } from '../../rig/profiles/rig-services.ts';
import { rigFile } from '../config/rig-file.ts';
import type { Settings } from '../profile/rig-files.ts';
import type { RigPlace } from '../profile/rig-place.ts';
import { readyOf } from '../start/await-ready.ts';
import { type OwnProcess, ownProcesses } from '../start/own-processes.ts';
import { portsOf } from '../start/port-holder.ts';
import type { SupervisedApp } from '../start/supervisor.ts';
import { type ConfigState, configState } from './config-state.ts';
import { askGuard, askHealth } from './health.ts';

/** PM2's file has it; no rig depends on it, and npm start does without. */
const WINDOW = 'svc-window';

export interface ServiceRow {
  name: string;
  /**
   * PM2's word; `not started`: PM2 does not know it; `unsupervised`: it runs, and nobody starts it again;
   * `by hand`: somebody started it beside PM2; `systemd`: a guard that systemd starts again.
   */
  state: string;
  pid: number | null;
  uptimeMs: number | null;
  memoryBytes: number | null;
  /** Since PM2 knows the service. */
  restarts: number | null;
  port: number | null;
  /** The service's own verdict; null when it gave none. */
  healthOk: boolean | null;
  health: string;
  /** The configuration it runs with; null where that is not known. */
  config: ConfigState | null;
  /** It runs and should, and says that it is well. */
  ok: boolean;
}

/**
 * Every service that PM2 knows, that runs or that should.
 * @param wanted those that should; @throws CliError `supervisor_failed`
 */
export async function serviceRows(place: RigPlace, wanted: readonly string[]): Promise<ServiceRow[]> {
  const apps = await place.supervisor.list();
  const now = fileNow(place);
  const known = new Set(apps.map(({ pid }) => pid));
  const stray = ownProcesses(place.folder, [...RIG_SERVICES, ...ADC_SERVICES, 'svc-bench']).filter(
    ({ pid }) => !known.has(pid),
  );
  const units = isGuardOfSystemd(place.settings) ? stray.filter(isOfUnit) : [];
  const others = stray.filter((one) => !units.includes(one));
  const there = new Set<string>([
    ...apps.map(({ name }) => name),
    ...others.map(({ role }) => role),
    ...units.flatMap(({ pid }) => guardUnitOf(pid) ?? []),
  ]);
  const missing = wanted.filter((name) => !there.has(name));
  return Promise.all([
    ...apps.map((app) => supervisedRow(app, wanted, place, now)),
    ...units.map((one) => unitRow(one, place, now)),
    ...others.map((one) => strayRow(one, place, now)),
    ...missing.map((name) => emptyRow(name, 'not started', false)),
  ]);
}

/** Undefined for a file that no service would start with: `svcctl config check` says why. */
function fileNow(place: RigPlace): RigConfig | undefined {
  try {
    return rigFile(place);
  } catch (fault) {
    if (fault instanceof ConfigError) return undefined;
    throw fault;
  }
}

/** Those that every rig has; the others as the settings and the profile say. */
export function wantedServices(settings: Settings, profile: Profile | undefined): string[] {
  const { RIG_BENCH_PORT } = settings;
  return [
    ...RIG_SERVICES,
    ...(isGuardOfSystemd(settings) ? GUARD_UNITS.slice(1) : []),
    ...(profile === undefined ? [] : servicesOf(profile)),
    ...(RIG_BENCH_PORT === undefined ? [] : ['svc-bench']),
  ];
}

async function supervisedRow(
  app: SupervisedApp,
  wanted: readonly string[],
  place: RigPlace,
  now: RigConfig | undefined,
): Promise<ServiceRow> {
  const { name, pid, restarts, memoryBytes, startedAt, exitCode } = app;
  if (pid === 0) {
    const state = app.state === 'stopped' && exitCode === 75 ? 'stopped: held by another owner' : app.state;
    return { ...emptyRow(name, state, !wanted.includes(name)), restarts };
  }
  const row = await runningRow(name, app.state, pid, { ...place, now }, startedAt);
  const uptimeMs = Math.max(0, place.io.clock.now() - startedAt);
  return {
    ...row,
    restarts,
    memoryBytes,
    uptimeMs,
    ok: row.ok && (wanted.includes(name) || name === WINDOW),
  };
}

const isOfUnit = ({ role, pid }: OwnProcess): boolean =>
  role === 'svc-guard' && guardUnitOf(pid) !== undefined;

/** A guard that systemd supervises. */
async function unitRow(
  { pid }: OwnProcess,
  place: RigPlace,
  now: RigConfig | undefined,
): Promise<ServiceRow> {
  const process = processIdOf(pid);
  const uptimeMs = process ? Math.round(processAgeMs(process)) : 0;
  const startedAt = place.io.clock.now() - uptimeMs;
  const row = await runningRow('svc-guard', 'systemd', pid, { ...place, now }, startedAt);
  return { ...row, name: guardUnitOf(pid) ?? row.name, uptimeMs };
}

async function strayRow(
  { role, pid, bornSupervised }: OwnProcess,
  place: RigPlace,
  now: RigConfig | undefined,
): Promise<ServiceRow> {
  const row = await runningRow(role, bornSupervised ? 'unsupervised' : 'by hand', pid, { ...place, now });
  return { ...row, ok: false };
}

async function runningRow(
  name: string,
  state: string,
  pid: number,
  { io, folder, settings, now }: RigPlace & { now: RigConfig | undefined },
  startedAt?: number,
): Promise<ServiceRow> {
  const said = readyOf(name, folder);
  // Its own word first: a twin of the bench would take a question for garbage on its line.
  const ports = said?.pid === pid ? urlPorts(said.url) : portsOf(pid);
  const isGuard = name === 'svc-guard';
  const { ok, words, port, configuration } = isGuard
    ? await askGuard(pid, guardsOf(folder), settings, io)
    : await askHealth(ports, io);
  const config = configState(name, configuration, isGuard ? startedAt : undefined, now);
  return {
    ...emptyRow(name, state, ok === true && state !== 'errored' && config?.isCurrent !== false),
    pid,
    memoryBytes: residentBytes(pid),
    port: port ?? null,
    healthOk: ok ?? null,
    health: words,
    config,
  };
}

const guardsOf = (folder: RigPlace['folder']): number[] =>
  ownProcesses(folder, ['svc-guard', 'svc-guard-partner']).map(({ pid }) => pid);

const urlPorts = (url: string | undefined): number[] =>
  url === undefined ? [] : [Number(new URL(url).port)];

const emptyRow = (name: string, state: string, ok: boolean): ServiceRow => ({
  name,
  state,
  pid: null,
  uptimeMs: null,
  memoryBytes: null,
  restarts: null,
  port: null,
  healthOk: null,
  health: '-',
  config: null,
  ok,
});

function residentBytes(pid: number): number | null {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`/proc/${pid}/status`))?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}
