import type { Random } from '../../lib/random/seeded-random.ts';

/** Deepest nesting of bodies. */
const DEPTH = 2;

/** Scenarios by chance, with everything that moves an actuator and everything that changes the way through them. */
export class RandomScenario {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  text(): string {
    const goals = 1 + this.#below(3);
    const lines: string[] = [];
    if (this.#chance(0.3)) lines.push('MACRO draw:', '  SET valve-1 open', '  SET pump $1 %');
    else lines.push('MACRO draw:', '  SET pump $1 %');
    for (let i = this.#below(2); i > 0; i--) lines.push(`CONFIG setup${i}:`, ...this.#body(0, goals, 3));
    for (let i = 1; i <= goals; i++) lines.push(`GOAL g${i}:`, ...this.#body(0, goals, 5));
    for (let i = this.#below(4); i > 0; i--) lines.push(`CONFIG down${i}:`, ...this.#teardown(goals));
    return `${lines.join('\n')}\n`;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #pick<T>(...choices: readonly [T, ...T[]]): T {
    return choices[this.#below(choices.length)] ?? choices[0];
  }

  /** Most teardowns do what they should. */
  #teardown(goals: number): string[] {
    if (this.#chance(0.3)) return this.#body(0, goals, 3);
    if (this.#chance(0.4)) return ['  SET lamp off'];
    return ['  SET pump 0 %', '  SET lung stop', '  SET valve-1 close', '  SET valve-2 close'];
  }

  #body(depth: number, goals: number, most: number): string[] {
    const lines: string[] = [];
    for (let i = 1 + this.#below(most); i > 0; i--) lines.push(...this.#statement(depth, goals));
    return lines.map((line) => `  ${line}`);
  }

  #statement(depth: number, goals: number): string[] {
    const roll = this.#random();
    if (roll < 0.12) return this.#careful();
    if (roll < 0.22) return [`SET valve-${this.#pick(1, 2)} ${this.#pick('open', 'open', 'close')}`];
    if (roll < 0.3) return [`SET pump ${this.#pick('0', '20 %', '60 %', '3 l/min', '90 %')}`];
    if (roll < 0.36) return [`SET lung ${this.#pick('stop', '1 cycles', '2 cycles')}`];
    if (roll < 0.39) return [`SET lamp ${this.#pick('on', 'off', '0.5')}`];
    if (roll < 0.46) return [`WAIT ${this.#pick('100ms', '5 s', '70 s', '200 s', '10 min')}`];
    if (roll < 0.54)
      return [this.#pick('GET AI01', 'CHECK AI01 <= 3 V', 'MAX AI01 4 V', 'ASSERT_VALVE valve-1 on')];
    if (roll < 0.64) return this.#variable();
    if (roll < 0.68) return [`CALL draw ${this.#pick('0', '30')}`];
    if (roll < 0.71) return this.#call();
    if (roll < 0.75) return this.#jump(goals);
    if (depth >= DEPTH) return [`LOG 'here'`];
    return this.#nested(depth, goals);
  }

  /** As it should be done. */
  #careful(): string[] {
    const valve = this.#pick(1, 2);
    return [
      `SET valve-${valve} open`,
      `SET pump ${this.#pick('20 %', '3 l/min')}`,
      `WAIT ${this.#pick('1 s', '30 s')}`,
      ...(this.#chance(0.4) ? ['CHECK AI01 <= 2 V'] : []),
      'SET pump 0 %',
      ...(this.#chance(0.5) ? [`SET valve-${valve} close`] : []),
    ];
  }

  #variable(): string[] {
    const name = this.#pick('v', 'w');
    return this.#pick(
      [`SET ${name} ${this.#pick(0, 15, 45)}`],
      [`VAR ${name} = '${this.#pick('10', '3 l/min', '0')}'`],
      [
        `CALC ${name} = ${this.#pick('ADD', 'SUB', 'MUL', 'MIN', 'MAX', 'AVG', 'DIV')} '${name}, ${this.#pick(2, 5, 40)}'`,
      ],
      [`CALC ${name} = MIN 'v, w'`],
      ['SAVE AI01 v', ...(this.#chance(0.7) ? ["CALC v = MIN 'v, 30'"] : [])],
      ["SET pump '$v %'"],
      ['SET pump $w'],
      ["SET lung '$v cycles'"],
      [`SET LUNG_STEPS ${this.#pick('100', '500', '$w')}`],
      [`SET PUMP_FLOW_FULL_SCALE_LPM ${this.#pick('5', '10')}`],
    );
  }

  #call(): string[] {
    const path = this.#pick(
      "API_POST '/api/v1/hardware/valve/valve-1?value=true'",
      "API_POST '/api/v1/hardware/valve/valve-2?value=false'",
      "API_POST '/api/v1/hardware/pump?power_pct=40'",
      "API_POST '/api/v1/hardware/lung/stop'",
      "API_POST '/api/v1/hardware/lung?steps=50&cycles=1'",
      "API_POST '/api/v1/hardware/safe-state'",
      'API_PUT \'/api/v1/peripherals/lamp\' \'{"currentValue": 1, "targetValue": 1}\'',
    );
    return [path];
  }

  #jump(goals: number): string[] {
    const goal = `g${1 + this.#below(goals)}`;
    return this.#pick(
      [`GOTO ${goal}`],
      ['CHECK AI01 <= 2 V', `ELSE GOAL '${goal}'`],
      ['CHECK AI01 <= 2 V', `FAIL 'high' GOTO ${goal}`],
      ['CHECK AI01 <= 2 V', `FAIL 'high' RETRY ${1 + this.#below(3)}`],
      ["ERROR 'ends here'"],
    );
  }

  #nested(depth: number, goals: number): string[] {
    const body = () => this.#body(depth + 1, goals, 3);
    return this.#pick(
      ['IF AI01 > 2 V', ...body(), 'ENDIF'],
      ['IF AI01 > 2 V', ...body(), 'ELSE', ...body(), 'ENDIF'],
      ["IF_FAIL 'AI01' THEN", ...body(), 'END'],
      [`REPEAT ${1 + this.#below(4)}:`, ...body(), 'REPEAT STOP'],
      [`LOOP ${this.#below(4)} TIMES`, ...body(), 'ENDLOOP'],
      ['LOOP WHILE AI01 < 3 V', ...body(), 'ENDLOOP'],
      ['SAMPLE AI01 START 500ms', 'WAIT 2 s', 'SAMPLE AI01 STOP'],
    );
  }
}
