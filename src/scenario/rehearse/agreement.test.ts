import * as assert from 'uvu/assert';
import { type Random, seededRandom } from '../../lib/random/seeded-random.ts';
import { patiently } from '../../test-kit/scenario/request-paused-clock.ts';
import { dryRun, runOn, withBridge } from '../../test-kit/scenario/run-on.ts';
import { suite } from '../../test-kit/suite.ts';
import type { Result } from '../run/result.ts';

const test = suite('dry-run and execute');

const READINGS = { AI01: 1, AI02: 2, AI03: 3 } as const;
const SENSORS = Object.keys(READINGS);

/** Goals of checks, bounds and readings behind conditions and in loops, by chance. */
class Goals {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  text(): string {
    const goals = Array.from({ length: 1 + this.#below(3) }, (_, i) => {
      const optional = this.#below(4) === 0 ? '  OPTIONAL\n' : '';
      return `GOAL:\n  SET NAME 'g${i}'\n${optional}${this.#body(0)}`;
    });
    return `MACRO judge:\n  CHECK $1 <= $2 V\nMACRO stop:\n  ERROR 'stop'\n${goals.join('')}GOAL:\n  SET NAME 'end'\n  GET AI01\n`;
  }

  #below = (limit: number): number => Math.floor(this.#random() * limit);
  #pick = (choices: readonly string[]): string => choices[this.#below(choices.length)]!;
  #sensor = (): string => this.#pick(SENSORS);
  #volts = (): string => this.#pick(['0.5', '1.5', '2.5', '3.5']);

  #body(depth: number): string {
    const lines = Array.from({ length: 1 + this.#below(3) }, () => this.#statement(depth));
    return lines.join('').replace(/^(?=.)/gm, '  ');
  }

  #statement(depth: number): string {
    const condition = `${this.#sensor()} ${this.#pick(['<', '>='])} ${this.#volts()} V`;
    const nested = depth < 2 ? 5 : 0;
    switch (this.#below(8 + nested)) {
      case 0:
      case 1:
        return `CHECK ${condition}\n`;
      case 2:
        return `CALL judge ${this.#sensor()} ${this.#volts()}\n`;
      case 3:
        return `MAX ${SENSORS[0]} ${this.#volts()} V\nGET ${SENSORS[0]}\n`;
      case 4:
        return `GET ${this.#sensor()}\n`;
      case 5:
        return 'SET valve-1 off\n';
      case 6:
        return this.#below(4) === 0 ? "GOTO 'end'\n" : 'WAIT 10ms\n';
      case 7:
        return this.#below(4) === 0 ? 'CALL stop\n' : "LOG 'x'\n";
      case 8:
        return `IF ${condition}\n${this.#body(depth + 1)}ENDIF\n`;
      case 9:
        return `IF ${condition}\n${this.#body(depth + 1)}ELSE\n${this.#body(depth + 1)}ENDIF\n`;
      case 10:
        return `IF ${condition}\n  ERROR 'too much'\nENDIF\n`;
      case 11:
        return `REPEAT 2:\n${this.#body(depth + 1)}REPEAT STOP\n`;
      default:
        return `IF_FAIL '${this.#sensor()}' THEN\n${this.#body(depth + 1)}END\n`;
    }
  }
}

const verdicts = ({ outcome, ok, judged, passed, total, goals }: Result) => ({
  run: [outcome, ok, judged, passed, total],
  goals: goals.map(({ name, outcome: own, checks, failedChecks, message }) => [
    name,
    own,
    checks,
    failedChecks,
    message,
  ]),
});

test(
  'LANG-076 the same readings give the same outcomes in dry-run and in execute, for 60 random scenarios',
  () =>
    withBridge(async (twin) => {
      for (const [name, id] of [
        ['AI01', 'nc-sensor'],
        ['AI02', 'sc-sensor'],
        ['AI03', 'wc-sensor'],
      ] as const)
        twin.sensors[id] = READINGS[name];
      const goals = new Goals(seededRandom(76));
      const seen = new Map<string, number>();
      for (let i = 0; i < 60; i++) {
        const source = goals.text();
        const dry = await dryRun(source, { sensors: { AI01: '1 V', AI02: '2 V', AI03: '3 V' } });
        const real = await runOn(twin, source, patiently());
        assert.equal(verdicts(real), verdicts(dry), source);
        seen.set(real.outcome, (seen.get(real.outcome) ?? 0) + 1);
      }
      for (const outcome of ['passed', 'failed', 'inconclusive', 'skipped'])
        assert.ok((seen.get(outcome) ?? 0) > 0, `${outcome} among ${JSON.stringify([...seen])}`);
    }),
  { timeoutMs: 120_000 },
);

test.run();
