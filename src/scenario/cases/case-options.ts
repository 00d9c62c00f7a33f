import type { Calibration } from '../../rig/calibration/calibration.ts';
import { Registry, type Sensor } from '../../rig/registry/registry.ts';
import { CONFIRMED } from '../../test-kit/rig/calibration.ts';

/** How the input of a case is read and run. */
export interface CaseOptions {
  /** `--sensor NAME=value[ unit]`, as on the command line. */
  readonly sensors: Readonly<Record<string, string>>;
  /** `--variable NAME=value` */
  readonly variables: Readonly<Record<string, string>>;
  readonly strict: boolean;
  readonly stopOnFail: boolean;
  /** `--as-execute`: findings about the rig are errors, as before an execute run. */
  readonly rigSeverity: 'warning' | 'error';
  readonly registry: Registry;
  /** `--escapes`: `\r`, `\n`, `\t`, `\uXXXX` and `\\` in the input stand for the character. */
  readonly escapes: boolean;
  /** `--file NAME`: name of the input. */
  readonly file: string;
}

const linear = (id: string, unit: string, rest: number, scale: number): Calibration => ({
  kind: 'linear',
  id,
  unit,
  scale,
  offset: -rest * scale,
  ...CONFIRMED,
});

/** The sensors of the bench with their calibrations (`scenarios/README.md`). */
const CALIBRATED: readonly Sensor[] = [
  { id: 'ai01', unit: 'V', calibration: linear('bench-ai01', 'mbar', 0.635, 100) },
  { id: 'ai02', unit: 'V', calibration: linear('bench-ai02', 'bar', 0.755, 10) },
  { id: 'ai03', unit: 'V', calibration: linear('bench-ai03', 'bar', 0.885, 300) },
];

/** Reads the option lines of a case. Throws on an option that does not exist. */
export function parseOptions(lines: readonly string[], place: string): CaseOptions {
  const sensors: Record<string, string> = {};
  const variables: Record<string, string> = {};
  const options = {
    strict: false,
    stopOnFail: false,
    rigSeverity: 'warning' as 'warning' | 'error',
    registry: new Registry(),
    escapes: false,
    file: 'case.oql',
  };
  for (const line of lines) {
    const [, name, argument] = /^--(\S+)(?:\s+(.*))?$/.exec(line) ?? [];
    if (name === 'sensor' || name === 'variable') {
      const [, key, value] = /^([^=]+)=(.*)$/.exec(argument ?? '') ?? [];
      if (key === undefined || value === undefined) throw new Error(`${place}: "${line}" needs NAME=value`);
      (name === 'sensor' ? sensors : variables)[key.trim()] = value.trim();
    } else if (name === 'strict') options.strict = true;
    else if (name === 'stop-on-fail') options.stopOnFail = true;
    else if (name === 'as-execute') options.rigSeverity = 'error';
    else if (name === 'calibrated') options.registry = new Registry({ sensors: CALIBRATED });
    else if (name === 'escapes') options.escapes = true;
    else if (name === 'file' && argument) options.file = argument;
    else throw new Error(`${place}: no such option: ${line}`);
  }
  return { ...options, sensors, variables };
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/gs;
const CHARACTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\' };

/** Resolves escapes; with them, the line ends that the case file itself has do not count. */
export const resolveEscapes = (text: string): string =>
  text
    .replace(/\n/g, '')
    .replace(ESCAPE, (whole, hex?: string, char?: string) =>
      hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (CHARACTERS[char ?? ''] ?? whole),
    );
