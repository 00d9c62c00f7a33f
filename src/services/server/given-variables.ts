import * as z from 'zod';
import { VARIABLE_NAME } from '../../scenario/values/variable-name.ts';

const MOST_VARIABLES = 1000;

const scalar = z.union([z.string().max(10_000), z.number(), z.boolean()]);

const givenVariable = z.union([
  scalar,
  z.strictObject({ value: scalar }),
  z.strictObject({ value: scalar, unit: z.string().max(50) }),
]);

/** Variables that are given for a run, by name. */
export const givenVariables = z
  .record(z.string(), givenVariable)
  .superRefine((given, context) => {
    for (const name of Object.keys(given))
      if (!VARIABLE_NAME.test(name))
        context.addIssue({ code: 'custom', path: [name], message: 'is not a name of a variable' });
  })
  .refine((given) => Object.keys(given).length <= MOST_VARIABLES, `must be at most ${MOST_VARIABLES}`);

/** The same as JSON in a query. */
export const givenVariablesText = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({
        code: 'custom',
        message: 'must be a JSON object of names and values, for example {"max_loss":"0.5 mbar"}',
      });
      return z.NEVER;
    }
  })
  .pipe(givenVariables);
