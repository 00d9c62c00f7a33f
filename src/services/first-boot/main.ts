import process from 'node:process';
import { Command } from 'commander';
import { firstBoot } from '../../appliance/first-boot/first-boot.ts';
import { othersNamed } from '../../appliance/name-check.ts';
import { recordNameCheck } from '../../appliance/name-record.ts';
import { placesOf } from '../../appliance/places.ts';
import { whileWritable } from '../../appliance/while-writable.ts';
import { textOf } from '../../appliance/write-whole.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { version } from '../../lib/version.ts';

const SERVICE = 'svc-first-boot';
const EXIT_FAILED = 1;

/** Run by systemd at each start of the appliance, before network, SSH and the services of the rig. */
async function main(): Promise<void> {
  const options = new Command(SERVICE)
    .description(
      'First start of a card: names, keys, size; then what is new in rig.txt. --check-name: look for a second machine of this name.',
    )
    .option('--check-name', 'ask the network whether another machine has the name of this one')
    .version(version)
    .parse()
    .opts<{ checkName?: true }>();
  const places = placesOf(process.env);
  if (options.checkName) {
    const name = textOf(places.data, 'etc/hostname') ?? 'rig';
    const others = await othersNamed(name, { clock: systemClock });
    await whileWritable(places, () => recordNameCheck(places, name, others, systemClock.now()));
    if (others.length > 0) say(`another machine on this network is called ${name}: ${others.join(', ')}`);
    return;
  }
  const report = await whileWritable(places, () => firstBoot({ places, clock: systemClock, log: say }));
  say(
    `${report.hostName}: ${report.applied.length} settings applied, ${report.faults.length} not, ${report.problems.length} problems`,
  );
}

function say(line: string): void {
  process.stderr.write(`${SERVICE}: ${line}\n`);
}

main().catch((fault: unknown) => {
  say(messageOf(fault));
  process.exitCode = EXIT_FAILED;
});
