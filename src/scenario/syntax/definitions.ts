/** The names that a text defines, collected while it is read: a use may precede its definition. */
export class Definitions {
  /** By VAR and DEFAULT: these win over names that look like actuators. */
  readonly declared = new Set<string>();
  /** By SAVE, CALC, SAVE_JSON and LOOP. */
  readonly defined = new Set<string>();
  /** By SAVE: these hold measured values. */
  readonly saved = new Set<string>();
  /** Targets of SET: variables, unless the rig knows them. */
  readonly targets = new Set<string>();
  /** Sensors whose statistics SAMPLE defines. */
  readonly sampled = new Set<string>();
}
