/**
 * Severity classes of the catalogue. `R`, by rig: warning in validate and dry-run, error in execute or strict.
 * `V`, by declared version: none without header, warning up to 3, error from 4.
 */
export type SeverityClass = 'E' | 'W' | 'I' | 'R' | 'V';

const entry = <const N extends string>(name: N, severity: SeverityClass) => ({ name, severity });

/** Every diagnostic of the language. Codes are never reused (language specification, section 3). */
export const CATALOGUE = {
  SCN001: entry('html-source', 'E'),
  SCN002: entry('empty-source', 'E'),
  SCN003: entry('bad-encoding', 'E'),
  SCN004: entry('too-large', 'E'),
  SCN005: entry('library', 'I'),

  SCN101: entry('version-no-colon', 'E'),
  SCN102: entry('version-not-first', 'W'),
  SCN103: entry('version-unsupported', 'E'),
  SCN104: entry('unknown-metadata', 'W'),
  SCN105: entry('empty-metadata', 'W'),
  SCN110: entry('outside-block', 'E'),
  SCN111: entry('not-indented', 'E'),
  SCN112: entry('unnamed-goal', 'W'),
  SCN113: entry('inline-goal-name', 'V'),
  SCN114: entry('duplicate-name', 'W'),
  SCN115: entry('empty-block', 'W'),
  SCN116: entry('unclosed-block', 'E'),
  SCN117: entry('stray-end', 'W'),
  SCN118: entry('not-executed', 'I'),
  SCN119: entry('late-metadata', 'E'),
  SCN120: entry('unknown-command', 'E'),
  SCN121: entry('unclosed-quote', 'E'),
  SCN122: entry('unclosed-bracket', 'E'),
  SCN123: entry('missing-argument', 'E'),
  SCN124: entry('extra-text', 'W'),
  SCN125: entry('bad-number', 'E'),
  SCN126: entry('bad-duration', 'E'),
  SCN127: entry('unknown-unit', 'W'),
  SCN128: entry('nested-quotes', 'W'),
  SCN129: entry('correct-without-check', 'W'),
  SCN130: entry('repeated-text', 'W'),
  SCN131: entry('not-executable', 'W'),
  SCN132: entry('ambiguous-if', 'W'),
  SCN133: entry('contradicting-message', 'W'),

  SCN201: entry('unknown-macro', 'E'),
  SCN202: entry('arity', 'E'),
  SCN203: entry('macro-recursion', 'E'),
  SCN204: entry('include-not-found', 'E'),
  SCN205: entry('include-cycle', 'E'),
  SCN206: entry('include-outside-root', 'E'),
  SCN207: entry('macro-shadowed', 'I'),
  SCN208: entry('include-has-goals', 'W'),
  SCN220: entry('unknown-target', 'R'),
  SCN221: entry('unknown-actuator', 'R'),
  SCN222: entry('unknown-sensor', 'R'),
  SCN223: entry('bad-actuator-value', 'E'),
  SCN224: entry('percent-out-of-range', 'E'),
  SCN225: entry('negative-flow', 'R'),
  SCN226: entry('pump-volume-unit', 'R'),
  SCN227: entry('no-calibration', 'R'),
  SCN228: entry('undefined-variable', 'W'),
  SCN229: entry('flow-over-scale', 'R'),
  SCN240: entry('incompatible-units', 'E'),
  SCN241: entry('bound-never-read', 'W'),
  SCN242: entry('empty-range', 'E'),
  SCN243: entry('contradictory-limits', 'W'),
  SCN244: entry('no-checks', 'W'),
  SCN245: entry('sample-mismatch', 'E'),
  SCN246: entry('unclear-delta', 'W'),
  SCN247: entry('time-budget', 'W'),
  SCN248: entry('unknown-goal', 'E'),
  SCN260: entry('bad-api-path', 'E'),
  SCN261: entry('malformed-assert', 'E'),
  SCN262: entry('bad-export-name', 'E'),

  // Safety check of the whole plan: errors before an execute run and in validate, warnings in a dry-run.
  SCN271: entry('left-active', 'E'),
  SCN272: entry('unbounded-time', 'E'),
  SCN273: entry('run-too-long', 'E'),
  SCN274: entry('setpoint-over-limit', 'E'),
  SCN275: entry('setpoint-unbounded', 'E'),
  SCN276: entry('interlock-broken', 'E'),
  SCN277: entry('unclear-actuation', 'E'),

  SCN278: entry('misplaced-optional', 'E'),
  SCN279: entry('conditional-checks', 'I'),

  SCN301: entry('legacy-form', 'V'),
  SCN302: entry('newer-form', 'I'),

  SCN401: entry('nothing-tested', 'E'),
  SCN402: entry('reading-failed', 'E'),
  SCN403: entry('stale-reading', 'E'),
  SCN404: entry('simulated-reading', 'E'),
  SCN405: entry('rejected', 'E'),
  SCN406: entry('transport', 'E'),
  SCN407: entry('timeout', 'E'),
  SCN408: entry('lease', 'E'),
  SCN409: entry('preflight', 'E'),
  SCN410: entry('bound-unmet', 'E'),
  SCN411: entry('unresolved', 'E'),
  SCN412: entry('aborted', 'E'),
  SCN416: entry('inconclusive', 'W'),
} as const;

export type Code = keyof typeof CATALOGUE;
export type CatalogueName = (typeof CATALOGUE)[Code]['name'];
