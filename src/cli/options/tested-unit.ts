import type { TestedUnit } from '../../scenario/outputs/record.ts';
import { usageError } from '../errors/cli-error.ts';

const MAX_LENGTH = 200;

/** Parser of `--unit`, `--part`, `--revision`, `--batch` and `--operator`: 1 to 200 characters on one line. */
export const labelOption =
  (option: string) =>
  (text: string): string => {
    const label = text.trim();
    if (label !== '' && label.length <= MAX_LENGTH && !/\p{Cc}/u.test(label)) return label;
    throw usageError(
      `${option} ${JSON.stringify(text)} is not a text of 1 to ${MAX_LENGTH} characters on one line`,
    );
  };

/** What the options say about the unit under test. */
export const testedUnit = ({
  unit,
  part,
  revision,
  batch,
  operator,
}: {
  readonly [name in keyof TestedUnit]?: string;
}): TestedUnit => ({
  unit: unit ?? null,
  part: part ?? null,
  revision: revision ?? null,
  batch: batch ?? null,
  operator: operator ?? null,
});
