import type { Profile } from '../../rig/profiles/profile.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { reportLines, reportProfile } from './report-profile.ts';
import { rigPlace } from './rig-place.ts';
import { type SwitchReport, switchProfile } from './switch.ts';

export interface ProfileOptions {
  json?: true;
}

/**
 * `svcctl profile [stack|standalone]`: reports, or switches.
 * @returns 0; 1 when what runs is not what the profile says. @throws CliError
 */
export async function profileCommand(
  wanted: Profile | undefined,
  options: ProfileOptions,
  io: Io,
): Promise<number> {
  const place = rigPlace(io);
  if (wanted === undefined) {
    const report = await reportProfile(place);
    io.stdout.write(`${options.json ? JSON.stringify(report) : reportLines(report).join('\n')}\n`);
    return report.ok ? EXIT.ok : EXIT.failed;
  }
  const done = await switchProfile(place, wanted);
  io.stdout.write(`${options.json ? JSON.stringify({ ok: true, ...done }) : switchText(done)}\n`);
  return EXIT.ok;
}

function switchText({ profile, kept, stopped, ended, started, durationMs }: SwitchReport): string {
  const ends = ended.map(({ name, pid }) => `${name} (pid ${pid}, had lost its supervisor)`);
  const parts = [
    ['stopped', [...stopped, ...ends]],
    ['started', started],
    ['ran already', kept],
  ] as const;
  const what = parts.flatMap(([word, names]) => (names.length > 0 ? [`${word} ${names.join(', ')}`] : []));
  return `profile ${profile}: ${what.join('; ')} (${(durationMs / 1000).toFixed(1)} s)`;
}
