import type { ArgumentKind, ArgumentSpec, CommandSpec, Effect } from './spec.ts';

interface RowOptions {
  aliases?: string[];
  since?: CommandSpec['since'];
  contexts?: CommandSpec['contexts'];
  examples?: string[];
  legacy?: boolean;
  notExecutable?: boolean;
}

const BODY = ['goal', 'config', 'macro'] as const;

/** `args` reads `name:kind name:kind?`, a question mark for an optional one. */
function row(name: string, args: string, effect: Effect, doc: string, options: RowOptions = {}): CommandSpec {
  const specs: ArgumentSpec[] = args
    .split(' ')
    .filter(Boolean)
    .map((arg) => {
      const [argument, kind] = arg.replace('?', '').split(':') as [string, ArgumentKind];
      return { name: argument, kind, ...(arg.endsWith('?') ? { optional: true } : {}) };
    });
  return {
    name,
    aliases: options.aliases ?? [],
    since: options.since ?? 1,
    contexts: options.contexts ?? BODY,
    args: specs,
    effect,
    doc,
    examples: options.examples ?? [],
    ...(options.legacy ? { legacy: true } : {}),
    ...(options.notExecutable ? { notExecutable: true } : {}),
  };
}

const notExecutable = (name: string) =>
  row(
    name,
    'text:rest?',
    'none',
    'Known from older systems and not executable here: dry-run skips it, execute is an error.',
    {
      notExecutable: true,
      examples: [`${name} 'x'`],
    },
  );

/** Every command of the language (specification, section 2.1). */
export const COMMANDS: readonly CommandSpec[] = [
  row(
    'SET',
    'target:target value:value unit:unit?',
    'actuate',
    'Sets an actuator, a parameter or a variable. Sent once, confirmed by the rig. SET timer sets the clock of the goal back to 0.',
    {
      examples: [
        'SET pump 5 l/min',
        'SET valve-1 on',
        "SET [bottle valve] 'off'",
        'SET LIMIT 8 bar',
        'SET timer 0',
      ],
    },
  ),
  row('PUMP', 'value:value unit:unit?', 'actuate', 'Sets the main pump: flow, percent, on or off.', {
    since: 2,
    examples: ["PUMP '5 l/min'"],
  }),
  row('NAME', 'name:text', 'none', 'Names the block, as SET NAME does. Never a command.', {
    examples: ["NAME 'Leak test'"],
  }),
  row(
    'OPTIONAL',
    '',
    'none',
    'Marks the goal: when none of its checks runs it is inconclusive, and the run is not. Also `SET OPTIONAL`.',
    { since: 4, contexts: ['goal'], examples: ['OPTIONAL'] },
  ),
  row('WAIT', 'duration:duration', 'pause', 'Pauses. Without suffix the number is milliseconds.', {
    aliases: ['TIMER'],
    examples: ['WAIT 500ms', "WAIT '1.5 s'", "SET WAIT '2 s'"],
  }),
  row('GET', 'sensor:sensor unit:unit?', 'read', 'Takes a fresh reading, in the unit when one is given.', {
    aliases: ['READ', 'GET_SENSOR'],
    examples: ['GET AI01', 'GET AI01 V'],
  }),
  row('VAL', 'sensor:sensor unit:unit?', 'read', 'Takes a fresh reading in that unit.', {
    since: 2,
    examples: ["VAL 'AI02' 'V'"],
  }),
  row(
    'SAVE',
    'label:label name:label?',
    'variable',
    'Stores the last reading, or the named sensor or variable, under a label.',
    {
      examples: ['GET AI01\nSAVE p0', "SAVE 'AI01' 'p1'"],
    },
  ),
  row('CHECK', 'condition:condition', 'check', 'Reads fresh and judges at once.', {
    since: 3,
    examples: ['CHECK 0 <= AI01 <= 4 V', 'CHECK AI01 <= 4 V', 'CHECK AI01 0 .. 4 V'],
  }),
  row(
    'IF',
    'condition:condition',
    'check',
    'A range is a check; a comparison is a check, or a gate when lines depend on it.',
    {
      examples: [
        "IF AI01 0 .. 4 V\n  CORRECT 'good'\n  ERROR 'bad'",
        "IF AI01 >= 0 V ELSE ERROR 'low'",
        "IF AI01 > 1 V\n  LOG 'high'\nENDIF",
      ],
    },
  ),
  row('OR IF', 'condition:condition', 'control', 'An alternative of the IF before.', {
    since: 2,
    examples: ["IF AI01 > 1 V\nOR IF AI02 > 1 V\n  LOG 'one is high'\nENDIF"],
  }),
  row('CORRECT', 'text:text', 'message', 'What the check before reports when it passes.', {
    since: 3,
    examples: ["CHECK AI01 <= 4 V\n  CORRECT 'good'"],
  }),
  row(
    'ERROR',
    'text:text',
    'control',
    'After a check: what it reports when it fails. Alone: the goal failed and ends.',
    {
      examples: ["CHECK AI01 <= 4 V\n  ERROR 'too high'", "ERROR 'not built'"],
    },
  ),
  row(
    'ELSE',
    'branch:rest?',
    'control',
    'The other branch of the open IF: ELSE, ELSE GOAL, ELSE ERROR, ELSE INFO, ELSE WARNING.',
    {
      examples: ["IF AI01 > 1 V\n  LOG 'high'\nELSE\n  LOG 'low'\nENDIF"],
    },
  ),
  row('ENDIF', '', 'control', 'Closes an IF.', {
    aliases: ['FI'],
    since: 2,
    examples: ["IF AI01 > 1 V\n  LOG 'x'\nENDIF"],
  }),
  row('END', '', 'control', 'Closes the open IF, IF_FAIL or loop.', {
    since: 2,
    examples: ["IF_FAIL 'AI01' THEN\n  LOG 'x'\nEND"],
  }),
  row('ENDLOOP', '', 'control', 'Closes a LOOP.', {
    since: 2,
    legacy: true,
    examples: ['LOOP 2 TIMES\n  WAIT 10\nENDLOOP'],
  }),
  row(
    'MIN',
    'sensor:sensor limit:quantity',
    'bound',
    'Lower bound for the rest of the goal, for every reading and sample.',
    {
      examples: ['MIN AI01 0 V\nGET AI01'],
    },
  ),
  row(
    'MAX',
    'sensor:sensor limit:quantity',
    'bound',
    'Upper bound for the rest of the goal, for every reading and sample.',
    {
      examples: ['MAX AI01 4 V\nGET AI01'],
    },
  ),
  row('RANGE', 'sensor:sensor range:range', 'bound', 'Lower and upper bound for the rest of the goal.', {
    since: 4,
    examples: ["RANGE 'AI01' '0 V' .. '4 V'\nGET AI01"],
  }),
  row(
    'IF_DELTA',
    'sensor:sensor window:duration change:quantity',
    'check',
    'Judges the change over a window: +x more than x up, -x more than x down, 0 none.',
    {
      since: 2,
      examples: ['SAMPLE AI01 START 100ms\nWAIT 2s\nIF_DELTA AI01 1s +0.1 V\nSAMPLE AI01 STOP'],
    },
  ),
  row(
    'SAMPLE',
    'sensor:sensor action:word interval:duration?',
    'sample',
    'Starts or stops background sampling, by default every 100 ms.',
    {
      since: 3,
      examples: ['SAMPLE AI01 START 100ms\nWAIT 1s\nSAMPLE AI01 STOP'],
    },
  ),
  row('LOG', 'text:text', 'message', 'Writes a message.', { examples: ["LOG 'pressure is $p0'"] }),
  row('INFO', 'text:text', 'message', 'Writes a message of level info.', { examples: ["INFO 'ready'"] }),
  row('ALARM', 'text:text', 'message', 'Writes a message of level alarm. No verdict.', {
    examples: ["ALARM 'watch out'"],
  }),
  row('RESULT', 'text:text', 'message', 'Writes a result message. No verdict.', {
    examples: ["RESULT 'done'"],
  }),
  row(
    'PASS',
    'sensor:sensor? text:text',
    'message',
    'Text for a passed verdict of the goal or the parameter; never a verdict itself.',
    {
      examples: ["PASS 'tight'"],
    },
  ),
  row(
    'FAIL',
    'sensor:sensor? text:text then:rest?',
    'control',
    'Text for a failed verdict; at the end of a failed goal GOTO jumps and RETRY n runs it again.',
    {
      examples: ["FAIL 'leaks'", "FAIL 'leaks' RETRY 2"],
    },
  ),
  row(
    'TASK',
    'sensor:sensor? text:text options:rest?',
    'message',
    'Shows an instruction. With CONFIRM it waits for a yes, as PROMPT does; TIMEOUT and ELSE as there.',
    {
      examples: ["TASK TITLE 'Connect the mask'", "TASK 'Connect the mask' CONFIRM TIMEOUT 5 min"],
    },
  ),
  row(
    'PROMPT',
    'text:text options:rest?',
    'control',
    'Waits for a person: yes or no, one of CHOICES, or with AS alone a text or quantity, saved under that name. No, or no answer within TIMEOUT, is an error that ends the goal unless ELSE handles it.',
    {
      since: 5,
      examples: [
        "PROMPT 'Is the mask fitted?' TIMEOUT 5 min",
        "PROMPT 'Is the lamp green?' TIMEOUT 1 min ELSE ERROR 'the lamp stays dark'",
        "PROMPT 'Which size?' AS size CHOICES 'S' 'M' 'L'\nLOG 'size $size'",
        "PROMPT 'Serial number?' AS serial TIMEOUT 2 min\nELSE\n  LOG 'no serial number'\nENDIF\nLOG '$serial'",
      ],
    },
  ),
  row(
    'TASK:',
    'actions:rest',
    'actuate',
    'Verb and object, joined by AND: on, off, open, close, save, measure.',
    {
      legacy: true,
      examples: ['TASK: [open] [valve-1] AND [measure] [AI01]'],
    },
  ),
  row(
    '→',
    'action:rest',
    'actuate',
    'Arrow form: Pump.set, Valve.open, Valve.close, X.on, X.off, Sensor.read, Operator.confirm.',
    {
      aliases: ['->'],
      legacy: true,
      examples: ['→ Pump.set 3 l/min', '→ Valve.open NC', '→ Sensor.read AI01'],
    },
  ),
  row('VAR', 'name:variable value:value', 'variable', 'Declares a variable.', {
    legacy: true,
    examples: ["VAR x = '5'"],
  }),
  row(
    'DEFAULT',
    'name:variable value:value unit:unit?',
    'variable',
    'Declares a parameter: the value that a name has from the start of the run unless one is given (--var, --vars, variables of the API). Before the first block, or at the top level of a GOAL or CONFIG; it holds for the whole scenario wherever it stands.',
    {
      since: 5,
      contexts: ['top', 'goal', 'config'],
      examples: ['DEFAULT HIGH 4 V\nCHECK AI01 <= HIGH'],
    },
  ),
  row(
    'CALC',
    'name:variable function:word arguments:rest',
    'variable',
    'Computes AVG, SUM, MIN, MAX, SUB, MUL, DIV, ADD, COUNT or STDDEV.',
    {
      aliases: ['FUN'],
      legacy: true,
      since: 2,
      examples: ["VAR a = '1'\nVAR b = '2'\nCALC 'v' = 'AVG' 'a, b'"],
    },
  ),
  row('CALL', 'macro:macro arguments:rest?', 'control', 'Expands a macro; arguments fill $1, $2 and so on.', {
    since: 3,
  }),
  row(
    'FUNC',
    'macro:macro arguments:rest?',
    'control',
    'Expands a macro with quoted arguments; with = it computes like CALC.',
    { since: 4 },
  ),
  row('INCLUDE', 'path:path', 'none', 'Imports the macros of another file.', {
    since: 3,
    contexts: ['top', ...BODY],
  }),
  row(
    'REPEAT',
    'count:number',
    'control',
    'Repeats the deeper lines, or all up to REPEAT STOP, 1 to 1000 times.',
    {
      since: 4,
      examples: ['REPEAT 2:\n  WAIT 10\nREPEAT STOP'],
    },
  ),
  row('LOOP', 'kind:rest', 'control', 'LOOP n TIMES or LOOP WHILE condition, up to ENDLOOP.', {
    since: 2,
    legacy: true,
    examples: ['LOOP 2 TIMES\n  WAIT 10\nENDLOOP'],
  }),
  row('GOTO', 'goal:goal', 'control', 'Goes on at that goal; goals jumped over are skipped.', { since: 2 }),
  row(
    'IF_FAIL',
    'key:label',
    'control',
    'Runs its body if a command on that sensor, target or path failed or erred.',
    {
      since: 2,
      examples: ["IF_FAIL 'AI01' THEN\n  LOG 'sensor failed'\nEND"],
    },
  ),
  row(
    'EXPECT_DEVICE',
    'path:path chip:word? kind:word?',
    'check',
    'The bridge lists this device path, with that chip and kind.',
    {
      since: 3,
      examples: ["EXPECT_DEVICE '/dev/ttyACM1' 'CH343' 'serial'"],
    },
  ),
  row('EXPECT_I2C_BUS', 'path:path', 'check', 'The bridge lists this I2C bus.', {
    since: 3,
    examples: ["EXPECT_I2C_BUS '/dev/i2c-1'"],
  }),
  row('EXPECT_I2C_CHIP', 'address:word name:word?', 'check', 'The bridge lists this I2C chip.', {
    since: 3,
    examples: ["EXPECT_I2C_CHIP '0x48' 'ADS1115'"],
  }),
  row(
    'API_GET',
    'path:path',
    'network',
    'Real request to the bridge (/health, /api/v1/...) or the server (/api/...).',
    {
      since: 2,
      examples: ["API_GET '/api/v1/hardware/health'"],
    },
  ),
  row('API_POST', 'path:path body:json?', 'network', 'Real request, under the lease.', {
    since: 2,
    examples: ["API_POST '/api/v1/hardware/safe-state'"],
  }),
  row('API_PUT', 'path:path body:json?', 'network', 'Real request, under the lease.', {
    since: 2,
    examples: [`API_PUT '/api/v1/peripherals/lamp' '{"currentValue": 1, "targetValue": 1}'`],
  }),
  row('API_DELETE', 'path:path', 'network', 'Real request, under the lease.', {
    since: 2,
    examples: ["API_DELETE '/api/v1/peripherals/lamp'"],
  }),
  row('ASSERT_STATUS', 'status:number', 'check', 'HTTP status of the last API call.', {
    since: 2,
    examples: ["API_GET '/health'\nASSERT_STATUS 200"],
  }),
  row(
    'ASSERT_JSON',
    'path:word operator:word? value:value',
    'check',
    'A value in the last API answer, by dotted path.',
    {
      since: 2,
      examples: ["API_GET '/health'\nASSERT_JSON 'mode' 'real'", "API_GET '/health'\nASSERT_JSON pid > 1"],
    },
  ),
  row(
    'ASSERT_SENSOR',
    'sensor:sensor operator:word threshold:quantity',
    'check',
    'Fresh reading against a threshold.',
    {
      since: 2,
      examples: ["ASSERT_SENSOR 'AI01' '>=' '0.5 V'"],
    },
  ),
  row('ASSERT_VALVE', 'valve:target state:word', 'check', 'State of a valve as the bridge reads it.', {
    since: 2,
    examples: ['ASSERT_VALVE valve-1 off'],
  }),
  row('SAVE_JSON', 'name:variable', 'variable', 'Keeps the last API answer as a variable.', {
    since: 3,
    examples: ["API_GET '/health'\nSAVE_JSON answer"],
  }),
  row('SHELL_EXPORT', 'name:word value:text', 'variable', 'Exports a value as a shell variable.', {
    since: 3,
    examples: ["SHELL_EXPORT RIG_MODE 'real'"],
  }),
  row('ALLOW', 'grant:rest?', 'none', 'Kept, without effect.', { examples: ["ALLOW 'operator'"] }),
  row('DENY', 'grant:rest?', 'none', 'Kept, without effect.', { examples: ["DENY 'guest'"] }),
  ...[
    'USER',
    'OPT',
    'DIALOG',
    'OUT',
    'DELTA_MAX',
    'DELTA_MIN',
    'NAVIGATE',
    'CLICK',
    'INPUT',
    'START_TEST',
    'STEP_COMPLETE',
    'ALIAS',
    'RUN',
    'EMIT',
  ].map(notExecutable),
];

/** `SELECT_*` and `RECORD_*`: whole families that are known and not executable. */
export const NOT_EXECUTABLE_PREFIXES = ['SELECT_', 'RECORD_'] as const;
