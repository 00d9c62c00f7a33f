import { CATALOGUE, type CatalogueName, type Code, type SeverityClass } from './catalogue.ts';

const SEVERITIES: Readonly<Record<SeverityClass, string>> = {
  E: 'error',
  W: 'warning',
  I: 'info',
  R: 'warning; error in execute or with --strict',
  V: 'none without VERSION, warning up to 3, error from 4',
};

/** Meaning and remedy of a code, for the author of a scenario. */
interface Explanation {
  readonly means: string;
  readonly remedy: string;
}

export const KNOWN_CODES = Object.keys(CATALOGUE) as Code[];

/** A code with its name, its severity and its explanation. */
export function explanationOf(
  code: Code,
): Explanation & { readonly code: Code; readonly name: CatalogueName; readonly severity: string } {
  const { name, severity } = CATALOGUE[code];
  return { code, name, severity: SEVERITIES[severity], ...EXPLANATIONS[code] };
}

const says = (means: string, remedy: string): Explanation => ({ means, remedy });

/** Every code of the catalogue; one that is missing here does not compile. */
const EXPLANATIONS: Readonly<Record<Code, Explanation>> = {
  SCN001: says(
    'The source is a web page, usually the page that displays the file.',
    'Use the URL of the raw text, or download the file.',
  ),
  SCN002: says('The source is empty or contains only comments.', 'Write at least a GOAL: with a check.'),
  SCN003: says('The bytes are not UTF-8 text.', 'Save the file as UTF-8.'),
  SCN004: says(
    'The source, its nesting or its macro expansion exceeds the limit.',
    'Split it into libraries with INCLUDE, or use REPEAT instead of nested calls.',
  ),
  SCN005: says(
    'The file contains only macros: a library cannot run by itself.',
    'INCLUDE it from a scenario with goals.',
  ),
  SCN101: says('VERSION is written without its colon.', 'Write VERSION: and the number.'),
  SCN102: says('VERSION is not the first line; it still applies.', 'Move it to the top.'),
  SCN103: says('This version of the language does not exist.', 'Write a version from 1 to 5.'),
  SCN104: says(
    'The metadata key is unknown. It is kept but not used.',
    'Correct the key, or leave it as a note.',
  ),
  SCN105: says('A metadata line has no text.', 'Fill it in, or remove the line.'),
  SCN110: says(
    'Only metadata, INCLUDE and comments are allowed here.',
    'Put it into a block: GOAL:, CONFIG: or MACRO.',
  ),
  SCN111: says(
    'A command of a block is not indented, so its block is unclear.',
    'Indent the line by two spaces.',
  ),
  SCN112: says('A goal has no name, so a report cannot identify it.', 'Write SET NAME below it.'),
  SCN113: says(
    'The name of a goal is on its GOAL: line, the syntax of older versions.',
    'Write SET NAME on the next line.',
  ),
  SCN114: says(
    'Two blocks have the same name; of two macros the second one is used.',
    'Give each its own name.',
  ),
  SCN115: says('A block has no commands.', 'Fill it, or remove it.'),
  SCN116: says(
    'An ELSE, OR IF or END has no IF, or a block is not closed.',
    'Put the line below its IF, or indent the branch.',
  ),
  SCN117: says('A closing word closes nothing that is open.', 'Remove it.'),
  SCN118: says(
    'The block or command is accepted but not executed.',
    'No action is needed, but do not rely on it.',
  ),
  SCN119: says('A metadata line follows the first block.', 'Move it to the top of the file.'),
  SCN120: says(
    'The first word is not a command, or its arguments have no valid form.',
    'Correct the word; the message suggests the nearest command.',
  ),
  SCN121: says('A quote is not closed on its line.', 'Add the closing quote.'),
  SCN122: says('A bracket is not closed on its line.', 'Add the closing bracket.'),
  SCN123: says('A command lacks an argument.', 'Follow the example in the message.'),
  SCN124: says(
    'Text follows a complete command. It is not executed, although it may be needed.',
    'Put it on its own line, make it a # comment, or remove it.',
  ),
  SCN125: says(
    'A number is missing, out of range or malformed (a comma is not a decimal point).',
    'Write a plain number such as 12.5; a value that is needed before the run cannot be a variable.',
  ),
  SCN126: says('A duration is missing or malformed.', 'Write for example 500 ms, 1.5 s or 2 min.'),
  SCN127: says(
    'The unit is unknown; it can only be compared with itself.',
    'Use a listed unit, or correct the spelling.',
  ),
  SCN128: says(
    'Quotes inside or next to a quoted text may end it too early.',
    'Use the other kind of quote around the text.',
  ),
  SCN129: says('A CORRECT or ELSE has no check before it.', 'Put it directly below its check.'),
  SCN130: says('The check already has such a text; both are joined.', 'Keep one of them.'),
  SCN131: says(
    'The command is known but not executable. A dry-run skips it, a run ends in an error.',
    'Replace it with an executable command, or remove it.',
  ),
  SCN132: says(
    'An IF without indentation controls only the next line, which may not be intended.',
    'Indent the lines that belong to the IF.',
  ),
  SCN133: says(
    'The text of a check contradicts its condition.',
    'Reverse the operator, or correct the text.',
  ),
  SCN134: says('Text after the command is not used.', 'Write it as a # comment.'),
  SCN135: says(
    'The file is written in another language.',
    'Run it with its own tool, or rewrite it as a scenario.',
  ),
  SCN150: says(
    'The value was given for this run, so the line that sets it is skipped.',
    "No action is needed; omit the value to use the scenario's own.",
  ),
  SCN151: says(
    'A value was given for this run, but the scenario computes it.',
    'Omit the value, or rename the computed variable.',
  ),
  SCN152: says(
    'A value was given for this run, but the scenario does not use it.',
    'Correct the name or omit the value: a misspelt limit would go unnoticed.',
  ),
  SCN153: says(
    'A value was given for the name of a sensor, an actuator or the timer.',
    'Omit it; give readings of a dry-run with --sensor.',
  ),
  SCN154: says(
    'The given value does not fit its use in the scenario.',
    'Give a value of the kind and unit named in the message.',
  ),
  SCN155: says('A DEFAULT is inside a macro or a branch.', 'Move it above the first block.'),
  SCN156: says(
    'A DEFAULT has an invalid name or value, or is not used.',
    'Correct it as the message describes, or remove it.',
  ),
  SCN201: says('No macro has this name.', 'Correct the name, or INCLUDE the library that defines it.'),
  SCN202: says('A call has too few or too many arguments.', 'Give as many as the body of the macro uses.'),
  SCN203: says('Macros call each other recursively.', 'Remove one of the calls.'),
  SCN204: says('An included file was not found.', 'Correct the path, or give the library with --library.'),
  SCN205: says('Files include each other recursively.', 'Remove one INCLUDE.'),
  SCN206: says(
    "An included file is outside the scenario's folder and the library.",
    'Move it there, or give its library with --library.',
  ),
  SCN207: says(
    'A macro or DEFAULT of an included file is hidden by one of the including file.',
    'No action is needed if intended; otherwise rename one.',
  ),
  SCN208: says(
    'An included file has goals; only its macros are imported.',
    'Move the macros into a separate file.',
  ),
  SCN220: says(
    'The target of SET is unknown to rig and scenario; nothing is sent.',
    'Correct the name, or add it to svc.yaml.',
  ),
  SCN221: says(
    'The name is not an actuator of this rig; nothing is sent.',
    'Correct the name, or add it to svc.yaml.',
  ),
  SCN222: says(
    'The name is neither a sensor of this rig nor a variable set before this line.',
    'Correct the name, or set the variable first.',
  ),
  SCN223: says(
    'The actuator does not accept this value.',
    'Valves take on or off, pumps a flow or a percentage, the lung start, stop, cycles or a volume.',
  ),
  SCN224: says(
    'The setpoint is outside 0 to 100 %.',
    'Write a setpoint within the range; setpoints are never clamped.',
  ),
  SCN225: says('The flow is negative, but the pump turns one way only.', 'Write a positive flow.'),
  SCN226: says('The setpoint of the pump is a volume.', 'Write a flow (l/min) or a percentage.'),
  SCN227: says(
    'The sensor has no valid calibration to the requested unit.',
    "Add a calibration to svc.yaml, confirm it, or use the sensor's own unit.",
  ),
  SCN228: says(
    'The variable is never set. A text shows its name; a limit or setpoint that uses it ends the run with an error.',
    'Set it first, or correct its name.',
  ),
  SCN229: says(
    'The flow exceeds the full scale of the pump.',
    'Lower it, or correct PUMP_FLOW_FULL_SCALE_LPM.',
  ),
  SCN240: says(
    'Values of different dimensions are compared, such as pressure and time, or volts and mbar.',
    'Use units of one dimension; a sensor in volts needs a calibration.',
  ),
  SCN241: says(
    'A bound is never evaluated, because the goal does not read its sensor.',
    'Add GET or SAMPLE for the sensor to the goal.',
  ),
  SCN242: says('No value lies between the limits.', 'Swap or correct them.'),
  SCN243: says(
    'Limits in force at the same time exclude every value: one of them always fails.',
    'Correct the limits.',
  ),
  SCN244: says(
    'The goal checks nothing and always passes.',
    'Add a CHECK or a bound, or move its commands into CONFIG.',
  ),
  SCN245: says('SAMPLE is started twice, or stopped without a start.', 'Pair START and STOP within a goal.'),
  SCN246: says(
    'The direction of a change is unclear, or its sign lets any change pass.',
    'Write a sign, or limit both sides.',
  ),
  SCN247: says('The pauses of the goal exceed its time-out.', 'Split the goal, or raise --timeout-goal.'),
  SCN248: says('GOTO names a goal that does not exist.', 'Correct the name.'),
  SCN250: says(
    'No reading of this sensor can reach the limit, so the check always passes or always fails.',
    'Correct the limit, or the range of the sensor in svc.yaml.',
  ),
  SCN251: says(
    'The window of a statistic or change is longer than the sampled time.',
    'WAIT for the full window after SAMPLE START.',
  ),
  SCN255: says('An ERROR depends on no check: the goal always fails.', 'Indent it below its IF.'),
  SCN256: says(
    'The condition is always or never true, so it checks nothing.',
    'Correct its limits, or swap AND and OR.',
  ),
  SCN257: says('A measured value is compared for equality, which never holds.', 'Write a range.'),
  SCN258: says('A variable has the name of a sensor, an actuator or the timer.', 'Choose another name.'),
  SCN259: says('SAVE has nothing to store: the goal has not read anything yet.', 'Write GET before it.'),
  SCN260: says(
    'The path of an API command leads outside the rig.',
    'Use a path below /health or /api; the API server needs --server-url.',
  ),
  SCN261: says('An ASSERT command is malformed.', 'Follow the example in the message.'),
  SCN262: says(
    'The name is not a valid shell variable name.',
    'Use letters, digits and _, not starting with a digit.',
  ),
  SCN263: says('A PROMPT, its choices or its time-out is malformed.', 'Follow the example in the message.'),
  SCN271: says(
    'An actuator is still on at the end of the plan.',
    'Switch it off in the goal, or in a CONFIG after the last goal.',
  ),
  SCN272: says(
    'The run time has no upper bound: a pause known only at run time, an endless loop, or a wait for the operator while outputs may be on.',
    'Write a duration, bound the variable first, or give the prompt a TIMEOUT.',
  ),
  SCN273: says(
    'The run may exceed limits.run.max_duration_s in svc.yaml.',
    'Shorten pauses, rounds or retries.',
  ),
  SCN274: says('A setpoint exceeds the limit in svc.yaml.', 'Lower it.'),
  SCN275: says(
    'A setpoint is known only at run time and has no upper bound.',
    'Bound it, for example by CALC with MIN, or write a literal.',
  ),
  SCN276: says(
    'The plan would break an interlock of svc.yaml, for example run the pump with its valve closed.',
    'Change the order: for example open the valve before the pump starts, close it after the pump has stopped.',
  ),
  SCN277: says(
    'The effect of an API call is unknown before the run, or the call changes the lease that the safe state needs.',
    'Use SET for actuators, and literal paths for other calls.',
  ),
  SCN278: says(
    'OPTIONAL is not on its own line in a goal.',
    'Put it on its own line, below the name of the goal.',
  ),
  SCN279: says(
    'Every check of the goal depends on a condition; when none runs, the goal is inconclusive.',
    'Add a check that always runs, or mark the goal OPTIONAL.',
  ),
  SCN301: says('Old syntax, which still works.', 'svcctl format rewrites it.'),
  SCN302: says('The command is newer than the declared version.', 'Raise VERSION.'),
  SCN401: says('No goal ran, so nothing was tested.', 'Add a goal, or select an existing one.'),
  SCN402: says(
    'A reading failed or is invalid: no response, saturated, from another sensor, or without an age.',
    'Check the sensor and its service: svcctl services, and the health of the bridge.',
  ),
  SCN403: says(
    'A reading is older than the run allows.',
    'Find out why the sensor is slow; the limit is 1 s unless the run sets another.',
  ),
  SCN404: says(
    'A reading does not come from the real rig.',
    'Use the real rig, or allow it with --simulated.',
  ),
  SCN405: says(
    'The rig refused a command, or the safe state was incomplete.',
    'Follow the message; if the safe state is incomplete, disconnect the supply and check that everything has stopped.',
  ),
  SCN406: says(
    "The connection to the rig, or writing the run's file, failed.",
    'Check that the service is running and the address is correct: svcctl services.',
  ),
  SCN407: says(
    'A command, goal or run took longer than its time-out.',
    'Find the cause; raise --timeout-command, --timeout-goal or --timeout-run where the time is needed.',
  ),
  SCN408: says(
    'Another client holds the rig, or the lease was lost during the run.',
    'Wait for the holder; svcctl lease shows it.',
  ),
  SCN409: says(
    'The rig is not ready for this run; nothing was moved.',
    'Follow the message: it names each part that is not ready.',
  ),
  SCN410: says(
    'A bound was never evaluated: its sensor was not read.',
    'Add GET or SAMPLE for the sensor to the goal.',
  ),
  SCN411: says('A variable has no value when it is used.', 'Set it first with SET, VAR, SAVE or CALC.'),
  SCN412: says(
    'An operator, a signal or the loss of the rig ended the run; the result says what became of the rig.',
    'Restart it once the cause is known.',
  ),
  SCN413: says('The operator answered no.', 'This is a result of the test, not a fault of the scenario.'),
  SCN414: says(
    'A prompt was not answered in time.',
    "Answer on the terminal or through the API, or raise the prompt's TIMEOUT.",
  ),
  SCN416: says(
    "None of the goal's checks ran, so it neither passed nor failed.",
    'Add a check that always runs, or mark the goal OPTIONAL.',
  ),
};
