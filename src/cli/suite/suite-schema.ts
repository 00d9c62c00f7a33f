import * as z from 'zod';

const VARIABLE_NAME = /^(?!__proto__$)[\p{L}_][\p{L}\p{N}_.-]*$/u;
const MOST_SCENARIOS = 1000;

const text = (what: string) =>
  z
    .string(`must be ${what}`)
    .trim()
    .min(1, `must be ${what}`)
    .max(200, 'must have at most 200 characters')
    .regex(/^\P{Cc}*$/u, 'must stand on one line')
    .regex(
      /^[^\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/,
      'must not turn the direction of text: remove the invisible characters',
    );

const value = z.custom<string | number | boolean>(
  (given) => ['string', 'boolean'].includes(typeof given) || Number.isFinite(given),
  'must be a text, a number, true or false; quote a text like "15 mbar"',
);

const entry = z.strictObject(
  {
    scenario: text('the path or address of a scenario'),
    name: text('a name').optional(),
    variables: z
      .record(
        z
          .string()
          .regex(
            VARIABLE_NAME,
            'is not a name of a variable: use letters, digits, _ . - and begin with a letter',
          ),
        value,
        'must be a map of names and values',
      )
      .default({}),
  },
  {
    error: (issue) =>
      issue.code === 'invalid_type' ? 'must be a path, or a map with the key scenario' : undefined,
  },
);

/** `suite.yaml`: scenarios in order, each with its variables. */
export const suiteSchema = z.strictObject(
  {
    name: text('a name').optional(),
    stop_on_fail: z.boolean('must be true or false').default(false),
    scenarios: z
      .array(
        z.preprocess((given) => (typeof given === 'string' ? { scenario: given } : given), entry),
        'must be a list of scenarios',
      )
      .min(1, 'is empty: name at least one scenario')
      .max(MOST_SCENARIOS, `has more than ${MOST_SCENARIOS} scenarios: split the suite`),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be a map with the key scenarios' : undefined) },
);

export type SuiteFile = z.output<typeof suiteSchema>;

/** The keys of the file, and of an entry, for a near name. */
export const SUITE_KEYS = Object.keys(suiteSchema.shape);
export const ENTRY_KEYS = Object.keys(entry.shape);
