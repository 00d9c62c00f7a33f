import type { IndexErrorCode } from '../index-error.ts';
import type { QuestionName } from '../questions.ts';

/** Given to the thread when it starts. */
export interface ThreadData {
  readonly stateDir: string;
}

export interface QuestionMessage {
  readonly id: number;
  readonly name: QuestionName;
  readonly ask: unknown;
}

export type ThreadMessage =
  | { readonly id: number; readonly answer: unknown }
  /** `code` is null for a defect. */
  | { readonly id: number; readonly code: IndexErrorCode | null; readonly message: string }
  /** For the log. */
  | { readonly report: string };
