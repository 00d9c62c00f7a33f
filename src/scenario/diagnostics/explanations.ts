import { CATALOGUE, type CatalogueName, type Code, type SeverityClass } from './catalogue.ts';

const SEVERITIES: Readonly<Record<SeverityClass, string>> = {
  E: 'error',
  W: 'warning',
  I: 'info',
  R: 'warning; error in execute or with --strict',
  V: 'none without VERSION, warning up to 3, error from 4',
};

/** What a code means, and what to do about it, for the writer of a scenario. */
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
    'The source is a web page, usually the page around a file instead of the file.',
    'Use the address of the raw text, or download the file.',
  ),
  SCN002: says('The source is empty, or holds comments only.', 'Write at least a GOAL: with a check.'),
  SCN003: says('The bytes are not UTF-8 text.', 'Save the file as UTF-8.'),
  SCN004: says(
    'The source, its nesting or what its macros expand to is larger than any scenario has to be.',
    'Split it into libraries with INCLUDE, or use REPEAT instead of calls of calls.',
  ),
  SCN005: says(
    'The file holds macros only: a library, which cannot run by itself.',
    'INCLUDE it from a scenario with goals.',
  ),
  SCN101: says('VERSION is written without its colon.', 'Write VERSION: and the number.'),
  SCN102: says('VERSION is not the first line; it counts all the same.', 'Move it to the top.'),
  SCN103: says('This version of the language does not exist.', 'Write a version from 1 to 5.'),
  SCN104: says(
    'The metadata key is none that the language knows. It is kept, and nothing uses it.',
    'Correct the key, or leave it as a note.',
  ),
  SCN105: says('A metadata line has no text.', 'Fill it in, or remove the line.'),
  SCN110: says(
    'A line stands where only metadata, INCLUDE and comments may.',
    'Put it into a block: GOAL:, CONFIG: or MACRO.',
  ),
  SCN111: says(
    'A command of a block is not indented, so that it is not clear whether it belongs to the block.',
    'Put two blanks before the line.',
  ),
  SCN112: says(
    'A goal has no name, so that a report cannot say which one failed.',
    'Write SET NAME below it.',
  ),
  SCN113: says(
    'The name of a goal stands on the line of its GOAL:, as older versions wrote it.',
    'Write SET NAME on the line below.',
  ),
  SCN114: says(
    'Two blocks have the same name; of two macros the second one counts.',
    'Give each its own name.',
  ),
  SCN115: says('A block has no commands.', 'Fill it, or remove it.'),
  SCN116: says(
    'An ELSE, OR IF or END has no IF, or a block is not closed.',
    'Put the line below its IF, or indent the branch.',
  ),
  SCN117: says('A closing word closes nothing that is open.', 'Remove it.'),
  SCN118: says(
    'The block or command is kept in the file and not executed.',
    'Nothing has to be done; do not count on it.',
  ),
  SCN119: says('A metadata line stands after the first block.', 'Move it to the top of the file.'),
  SCN120: says(
    'The first word is not a command, or the line is not a form of it.',
    'Correct the word; the message names the nearest command.',
  ),
  SCN121: says('A quote is not closed on its line.', 'Add the closing quote.'),
  SCN122: says('A bracket is not closed on its line.', 'Add the closing bracket.'),
  SCN123: says('A command lacks an argument.', 'Write it as in the example of the message.'),
  SCN124: says(
    'Text stands behind a complete command. It is not executed, and somebody may count on it.',
    'Write it on a line of its own, as a # comment, or remove it.',
  ),
  SCN125: says(
    'A number is missing, out of range, or not written as a number (a comma counts as no decimal point).',
    'Write a plain number such as 12.5; where the value is needed before the run, no variable.',
  ),
  SCN126: says('A duration is missing or cannot be read.', 'Write for example 500 ms, 1.5 s or 2 min.'),
  SCN127: says(
    'The unit is none that the language knows; it can be compared with itself only.',
    'Use a unit of the list, or correct its spelling.',
  ),
  SCN128: says(
    'Quotes stand inside or against a quoted text, so that it may end elsewhere than meant.',
    'Use the other kind of quote outside.',
  ),
  SCN129: says('A CORRECT or ELSE follows no check.', 'Put it directly below the check that it belongs to.'),
  SCN130: says('The check has such a text already; both are joined.', 'Keep one of them.'),
  SCN131: says(
    'The command is known and cannot run on a rig. A dry-run leaves it out, a run ends in an error.',
    'Replace it by a command that runs, or remove it.',
  ),
  SCN132: says(
    'An IF without indentation gates exactly the next line, which may not be what was meant.',
    'Indent what belongs to the IF.',
  ),
  SCN133: says(
    'The text of a check says the opposite of its condition.',
    'Turn the operator round, or correct the text.',
  ),
  SCN134: says('Text behind the command is not used.', 'Write it as a # comment.'),
  SCN135: says(
    'The file is a program of another language.',
    'Run it with its own tool, or write it as a scenario.',
  ),
  SCN150: says(
    'The value was given for this run, so the line that would set it is skipped.',
    'Nothing has to be done; leave the value out to use the one of the scenario.',
  ),
  SCN151: says(
    'The value was given for this run, and the scenario computes it.',
    'Do not give it, or let the scenario compute another name.',
  ),
  SCN152: says(
    'A value was given for this run that nothing in the scenario uses.',
    'Correct the name, or leave it out: a misspelt limit would go unnoticed.',
  ),
  SCN153: says(
    'A value was given for a name that is a sensor, an actuator or a clock.',
    'Leave it out; readings of a dry-run are given with --sensor.',
  ),
  SCN154: says(
    'The value that was given cannot be what the scenario uses it for.',
    'Give a value of the kind and unit that the message names.',
  ),
  SCN155: says('A DEFAULT stands inside a macro or a branch.', 'Move it above the first block.'),
  SCN156: says(
    'A DEFAULT has no valid name, no literal value, or nothing uses it.',
    'Correct it as the message says, or remove it.',
  ),
  SCN201: says('No macro has this name.', 'Correct the name, or INCLUDE the library that defines it.'),
  SCN202: says('A call has too few or too many arguments.', 'Give as many as the body of the macro uses.'),
  SCN203: says('Macros call each other in a circle.', 'Break the circle.'),
  SCN204: says('An included file was not found.', 'Correct the path, or name the library with --library.'),
  SCN205: says('Files include each other in a circle.', 'Remove one INCLUDE.'),
  SCN206: says(
    'An included file lies outside of the folder of the scenario and of the library.',
    'Move it there, or name its library with --library.',
  ),
  SCN207: says(
    'A macro or DEFAULT of an included file is hidden by one of the including file.',
    'Nothing has to be done when that is meant; else rename one.',
  ),
  SCN208: says(
    'An included file has goals; only its macros are taken over.',
    'Move the macros into a file of their own.',
  ),
  SCN220: says(
    'SET names nothing that the rig or the scenario knows, and nothing is sent.',
    'Correct the name, or add it to svc.yaml.',
  ),
  SCN221: says(
    'The name is not an actuator of this rig, and nothing is sent.',
    'Correct the name, or add it to svc.yaml.',
  ),
  SCN222: says(
    'The name is not a sensor of this rig and no variable before this line.',
    'Correct the name, or set the variable before.',
  ),
  SCN223: says(
    'The value is none that the actuator takes.',
    'Valves take on or off, pumps a flow or a percentage, the lung start, stop, cycles or a volume.',
  ),
  SCN224: says('The setpoint is outside of 0 to 100 %.', 'Write a setpoint in range; it is never clamped.'),
  SCN225: says('The flow is negative, and the pump turns one way only.', 'Write a positive flow.'),
  SCN226: says('The pump is given a volume.', 'Write a flow (l/min) or a percentage.'),
  SCN227: says(
    'The sensor has no valid calibration to the unit that is asked for.',
    'Add a calibration to svc.yaml, confirm it, or ask in the unit of the sensor.',
  ),
  SCN228: says(
    'The variable is never set. A text keeps its name, a limit or setpoint with it ends the run with an error.',
    'Set it before, or correct its name.',
  ),
  SCN229: says(
    'The flow is more than the full scale of the pump.',
    'Lower it, or correct PUMP_FLOW_FULL_SCALE_LPM.',
  ),
  SCN240: says(
    'Two values of different kinds are compared, such as a pressure with a time, or volts with mbar.',
    'Use units of one kind; a sensor in volts needs a calibration.',
  ),
  SCN241: says(
    'A bound is never judged, because nothing reads its sensor in the goal.',
    'Add GET or SAMPLE for the sensor to the goal.',
  ),
  SCN242: says('No value lies between the two limits.', 'Swap or correct them.'),
  SCN243: says(
    'The limits that hold at the same time leave no value: one of them fails whatever is measured.',
    'Correct the limits.',
  ),
  SCN244: says(
    'The goal checks nothing and passes whatever happens.',
    'Add a CHECK or a bound, or move its commands into CONFIG.',
  ),
  SCN245: says(
    'SAMPLE is started twice, or stopped without being started.',
    'Write START and STOP in pairs in one goal.',
  ),
  SCN246: says(
    'The direction of a change is not clear, or its sign lets a change of any size pass.',
    'Write a sign, or limit both sides.',
  ),
  SCN247: says(
    'The pauses of the goal are longer than its time-out.',
    'Split the goal, or raise --timeout-goal.',
  ),
  SCN248: says('GOTO names a goal that does not exist.', 'Correct the name.'),
  SCN250: says(
    'No reading of this sensor can ever reach the limit, so that the check always passes or always fails.',
    'Correct the limit, or the range of the sensor in svc.yaml.',
  ),
  SCN251: says(
    'The window of a statistic or change is longer than what has been sampled by then.',
    'WAIT for the whole window after SAMPLE START.',
  ),
  SCN255: says(
    'An ERROR depends on no check: the goal fails in any case.',
    'Indent it below the IF that it belongs to.',
  ),
  SCN256: says(
    'The condition holds always, or never, so that it judges nothing.',
    'Correct its limits, or exchange AND and OR.',
  ),
  SCN257: says('A measured value is compared for equality, which it never meets.', 'Write a range.'),
  SCN258: says('A variable has the name of a sensor, an actuator or a clock.', 'Choose another name.'),
  SCN259: says('SAVE has nothing to save: nothing was read in the goal before.', 'Write GET before it.'),
  SCN260: says(
    'The path of an API command leads outside of the rig.',
    'Use a path below /health or /api; the API server needs --server-url.',
  ),
  SCN261: says('An ASSERT command cannot be read.', 'Write it as in the example of the message.'),
  SCN262: says('The name is none that a shell can export.', 'Use letters, digits and _, not a digit first.'),
  SCN263: says(
    'A PROMPT, its choices or its time-out cannot be read.',
    'Write it as in the example of the message.',
  ),
  SCN271: says(
    'An actuator is still on at the end of the plan.',
    'Switch it off in the goal, or in a CONFIG behind the last goal.',
  ),
  SCN272: says(
    'The run has no upper bound in time: a pause known only at run time, a loop without an end, or a wait for a person while outputs may be on.',
    'Write a duration, bound the variable before, or give the prompt a TIMEOUT.',
  ),
  SCN273: says(
    'The run may take longer than limits.run.max_duration_s of svc.yaml allows.',
    'Shorten pauses, rounds or retries.',
  ),
  SCN274: says('A setpoint is above the limit of svc.yaml.', 'Lower it.'),
  SCN275: says(
    'A setpoint is known only at run time, and nothing bounds it before.',
    'Bound it, for example by CALC with MIN, or write a literal.',
  ),
  SCN276: says(
    'The plan would break an interlock of svc.yaml, for example run the pump with its valve closed.',
    'Change the order: the valve opens before the pump starts, and closes after it stands.',
  ),
  SCN277: says(
    'It cannot be told before the run what an API call moves, or it touches the lease under which the rig is made safe.',
    'Use SET for actuators, and write paths of other calls as they are.',
  ),
  SCN278: says(
    'OPTIONAL does not stand alone in a goal.',
    'Write it as a line of its own, below the name of the goal.',
  ),
  SCN279: says(
    'Every check of the goal stands behind a condition; when none runs, the goal is inconclusive.',
    'Add a check that always runs, or mark the goal OPTIONAL.',
  ),
  SCN301: says('A form of an older version, which still works.', 'svcctl format rewrites it.'),
  SCN302: says('The command is newer than the declared version.', 'Raise VERSION.'),
  SCN401: says(
    'No goal was run, so nothing was tested.',
    'Give the scenario a goal, or select one that exists.',
  ),
  SCN402: says(
    'A reading failed or cannot be trusted: no answer, saturated, of another sensor, or without its age.',
    'Look at the sensor and its service: svcctl services, and the health of the bridge.',
  ),
  SCN403: says(
    'A reading is older than the run allows.',
    'Look why the sensor is slow; the limit is 1 s unless the run says more.',
  ),
  SCN404: says(
    'A reading does not come from the real rig.',
    'Use the real rig, or allow it with --simulated.',
  ),
  SCN405: says(
    'The rig refused a command, or the safe state was incomplete.',
    'Do what the message says; when the safe state is incomplete, cut the supply and check by eye.',
  ),
  SCN406: says(
    'The connection to the rig or the file of the run failed.',
    'Look whether the service runs and the address is right: svcctl services.',
  ),
  SCN407: says(
    'A command, goal or run took longer than its time-out.',
    'Look why; raise --timeout-command, --timeout-goal or --timeout-run where the time is needed.',
  ),
  SCN408: says(
    'Somebody else has the rig, or the lease was lost on the way.',
    'Wait for the holder; svcctl lease shows who that is.',
  ),
  SCN409: says(
    'The rig is not ready for this run, so that nothing was moved.',
    'Do what the message says: it names each part that is missing.',
  ),
  SCN410: says(
    'A bound never met a reading, so that nothing was judged.',
    'Add GET or SAMPLE for the sensor to the goal.',
  ),
  SCN411: says('A name has no value when it is needed.', 'Set it before, by SET, VAR, SAVE or CALC.'),
  SCN412: says(
    'The run was ended by a person, a signal or the loss of the rig; the rig was made safe.',
    'Start it again when the cause is known.',
  ),
  SCN413: says('The operator answered no.', 'This is a result of the test, not a fault of the scenario.'),
  SCN414: says(
    'Nobody answered a prompt in its time.',
    'Answer at the terminal or through the API, or give the prompt more time.',
  ),
  SCN416: says(
    'The goal has checks, and none of them ran: neither passed nor failed.',
    'Add a check that always runs, or mark the goal OPTIONAL.',
  ),
};
