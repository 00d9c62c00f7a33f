import type { Clock } from '../../lib/clock/clock.ts';
import type { Registry, Sensor } from '../../rig/registry/registry.ts';
import { resolutionIn } from '../../rig/registry/resolution.ts';
import { CATALOGUE, type Code } from '../diagnostics/catalogue.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { EventBody } from '../events/event.ts';
import type { Program } from '../program/program.ts';
import { RunFault } from '../rig/fault.ts';
import type { ApiAnswer, Rig } from '../rig/rig.ts';
import type { Pos } from '../source/position.ts';
import { interpolate } from '../values/interpolate.ts';
import type { Scale } from './convert-reading.ts';
import { type EventLog, NOWHERE, type Place } from './event-log.ts';
import type { Executor } from './executor.ts';
import { JointTimers } from './joint-timers.ts';
import type { Prompt } from './options.ts';
import type { SampleSeries } from './result.ts';
import type { Timeouts } from './timeouts.ts';
import type { Variables } from './variables.ts';

export interface RunSettings {
  readonly maxAgeMs: number;
  readonly timeouts: Timeouts;
  readonly stopOnFail: boolean;
  /** Simulated readings are accepted. */
  readonly simulated: boolean;
  readonly onPrompt: Prompt | undefined;
}

/** Everything that outlives a goal. */
export class RunContext {
  readonly program: Program;
  readonly registry: Registry;
  readonly settings: RunSettings;
  readonly clock: Clock;
  readonly rig: Rig;
  /** How commands run. */
  readonly executor: Executor;
  readonly log: EventLog;
  readonly variables: Variables;
  /** Variables that were given for the run; none of them changes. */
  readonly given: ReadonlySet<string>;
  /** Commands started so far. */
  commands = 0;
  /** Prompts opened so far. */
  prompts = 0;
  readonly diagnostics: Diagnostic[];
  readonly exports: Record<string, string> = Object.create(null);
  readonly series: SampleSeries[] = [];
  /** Of all sampled sensors. */
  readonly sampleTimers: JointTimers;
  /** Names of commands that ended in an error anywhere in the run: an error ends its goal, so only later ones can react. */
  readonly erred = new Set<string>();
  lastAnswer: ApiAnswer | undefined;
  /** Where the run is, for events that come from the rig. */
  place: Place = NOWHERE;
  readonly #reported = new WeakSet<RunFault>();
  /** By sensor and unit; null: not known. */
  readonly #resolutions = new Map<string, number | null>();

  constructor(parts: {
    program: Program;
    registry: Registry;
    settings: RunSettings;
    clock: Clock;
    rig: Rig;
    executor: Executor;
    log: EventLog;
    variables: Variables;
    given: ReadonlySet<string>;
    diagnostics: Diagnostic[];
  }) {
    this.program = parts.program;
    this.registry = parts.registry;
    this.settings = parts.settings;
    this.clock = parts.clock;
    this.sampleTimers = new JointTimers(parts.clock);
    this.rig = parts.rig;
    this.executor = parts.executor;
    this.log = parts.log;
    this.variables = parts.variables;
    this.given = parts.given;
    this.diagnostics = parts.diagnostics;
  }

  emit(body: EventBody, place: Place = this.place): void {
    this.log.emit(this.#withResolution(body), place);
  }

  /** What was measured is reported with the resolution of its sensor, so that no configuration is needed to show it. */
  #withResolution(body: EventBody): EventBody {
    if (body.type !== 'reading' && body.type !== 'check' && body.type !== 'sample') return body;
    if (body.sensor === null || body.unit === null) return body;
    const resolution = this.#resolutionOf(body.sensor, body.unit);
    // One more member behind a spread costs ten times as much.
    return resolution === null ? body : Object.assign({}, body, { resolution });
  }

  /** Looked up once: a run may have a million samples. */
  #resolutionOf(name: string, unit: string): number | null {
    const key = `${name} ${unit}`;
    const known = this.#resolutions.get(key);
    if (known !== undefined) return known;
    const sensor = this.registry.sensor(name.replace(/^Δ/, ''));
    const resolution = (sensor && resolutionIn(sensor, unit)) ?? null;
    this.#resolutions.set(key, resolution);
    return resolution;
  }

  /** How readings of a sensor may be converted. */
  scaleOf(sensor: Sensor | undefined): Scale | undefined {
    return sensor && { sensor, faultOf: (calibration) => this.rig.calibrationFault(calibration) };
  }

  /** Adds a finding of the run, once. */
  diagnose(
    code: Code,
    message: string,
    place: Place,
    stack?: readonly Pos[],
    severity = CATALOGUE[code].severity === 'W' ? ('warning' as const) : ('error' as const),
  ): void {
    const pos = place.pos ?? this.#top();
    const known = this.diagnostics.some(
      (one) =>
        one.code === code &&
        one.pos.file === pos.file &&
        one.pos.line === pos.line &&
        one.severity === severity &&
        (one.message === message || Number(code.slice(3)) < 400),
    );
    if (known) return;
    const diagnostic: Diagnostic = {
      code,
      name: CATALOGUE[code].name,
      severity,
      message,
      pos,
      ...(stack && stack.length > 0 ? { stack } : {}),
    };
    this.diagnostics.push(diagnostic);
    this.emit({ type: 'diagnostic', diagnostic }, place);
  }

  /** Reports a fault as a finding, once, where it was met first. */
  report(fault: RunFault, place: Place, stack?: readonly Pos[], severity?: 'warning'): void {
    if (this.#reported.has(fault)) return;
    this.#reported.add(fault);
    this.diagnose(fault.scn, fault.message, place, stack, severity);
  }

  #top(): Pos {
    return { file: this.program.file, line: 1, col: 1, endLine: 1, endCol: 1 };
  }

  /** Text with `$name` filled in; unknown names stay (section 1.2). */
  text(template: string): string {
    return interpolate(template, (name) => this.variables.shownText(name)).text;
  }

  /** Text where every name has to be known. @throws RunFault SCN411 */
  strictText(template: string): string {
    const { text, unknown } = interpolate(template, (name) => this.variables.text(name));
    if (unknown.length > 0)
      throw new RunFault('SCN411', `the variable ${unknown.join(', ')} in "${template}" is not set`);
    return text;
  }
}
