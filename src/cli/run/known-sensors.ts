import { suggest } from '../../scenario/diagnostics/suggest.ts';
import { loadScenario } from '../../scenario/load.ts';
import { decode } from '../../scenario/source/decode.ts';
import { usageError } from '../errors/cli-error.ts';
import type { SensorValues } from '../options/assignment.ts';
import type { RunRequest } from './perform-run.ts';

/**
 * A value for a sensor that nothing knows would be given to nobody, and the check it was meant for would pass.
 * @throws CliError exit code 2
 */
export function requireKnownSensors(
  sensors: SensorValues,
  { source, sources, rig }: Pick<RunRequest, 'source' | 'sources' | 'rig'>,
): void {
  const names = Object.keys(sensors).filter(
    (name) => !rig.registry.sensor(name) && name.toLowerCase() !== 'timer',
  );
  if (names.length === 0) return;
  const { program } = loadScenario(source.bytes, source.name, {
    loader: sources.loader,
    registry: rig.registry,
  });
  const read = new Set(program.uses.sensors.map((name) => name.toLowerCase()));
  const decoded = decode(source.bytes);
  const text = 'text' in decoded ? decoded.text.toLowerCase() : '';
  for (const name of names) {
    if (read.has(name.toLowerCase()) || text.includes(name.toLowerCase())) continue;
    const near = suggest(name, rig.registry.sensorNames());
    throw usageError(
      `--sensor "${name}" is not a sensor of the rig and is not read by ${source.name}: ${near ? `did you mean ${near}?` : 'check the name'}`,
    );
  }
}
