/** The names that a text defines anywhere, gathered while it is read: a use may stand before its definition. */
export class Definitions {
  /** By VAR and DEFAULT: these win over names that look like actuators. */
  readonly declared = new Set<string>();
  /** By SAVE, CALC, SAVE_JSON and LOOP. */
  readonly defined = new Set<string>();
  /** By SAVE: these hold what was measured. */
  readonly saved = new Set<string>();
  /** Targets of SET: variables, unless the rig knows them. */
  readonly targets = new Set<string>();
  /** Sensors whose statistics SAMPLE leaves behind. */
  readonly sampled = new Set<string>();
}
