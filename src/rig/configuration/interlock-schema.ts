import * as z from 'zod';

/** Words for the states of actuators: valves are open, pumps on, lungs moving. YAML's own true and false will do too. */
const STATES = { on: true, open: true, moving: true, off: false, closed: false, stopped: false } as const;
const WORDS = Object.keys(STATES) as (keyof typeof STATES)[];

const state = z
  .union([z.enum(WORDS), z.boolean()], 'must be on, open or moving, or off, closed or stopped')
  .transform((word) => (typeof word === 'boolean' ? word : STATES[word]));

const states = (description: string) =>
  z
    .record(z.string(), state, 'must be names of actuators with a state, for example {valve-1: open}')
    .refine((entries) => Object.keys(entries).length > 0, 'must name at least one actuator')
    .meta({ description, minProperties: 1 });

const interlock = z
  .strictObject({
    id: z.string('must be text').min(1, 'must name the rule').describe('Name of the rule, of its own.'),
    reason: z
      .string('must be text')
      .min(1, 'must give the reason for the rule')
      .describe('Why, for people; shown with each refusal.'),
    while: states('Actuators and states: the rule holds as long as all of them are so.'),
    require_any: states('One of these states must hold then.').optional(),
    require_all: states('All of these states must hold then.').optional(),
  })
  .refine(
    (rule) => (rule.require_any === undefined) !== (rule.require_all === undefined),
    'must have either require_any or require_all',
  )
  .meta({ oneOf: [{ required: ['require_any'] }, { required: ['require_all'] }] });

/** Rules between actuators that the bridge enforces. */
export const interlocksSchema = z
  .array(interlock, 'must be a list of rules')
  .superRefine((rules, context) => {
    const seen = new Set<string>();
    rules.forEach(({ id }, index) => {
      if (seen.has(id))
        context.addIssue({
          code: 'custom',
          path: [index, 'id'],
          message: 'is the id of another rule already',
        });
      seen.add(id);
    });
  })
  .describe('Rules between actuators. The bridge refuses a command that would break one.');

export type InterlockFile = z.output<typeof interlock>;
