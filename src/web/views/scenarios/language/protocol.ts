import type { Limits } from '../../../../rig/configuration/types.ts';
import type { RegistryEntries } from '../../../../rig/registry/registry.ts';
import type { Diagnostic } from '../../../../scenario/diagnostics/diagnostic.ts';
import type { Completion } from '../../../../scenario/language-service/completion.ts';
import type { QuickFix, TextEdit } from '../../../../scenario/language-service/findings.ts';
import type { FormatResult } from '../../../../scenario/language-service/formatting.ts';
import type { Hover } from '../../../../scenario/language-service/hover.ts';
import type { VOCABULARY } from '../../../../scenario/language-service/vocabulary.ts';

/** What `GET /api/language` says. */
export interface RigLanguage {
  readonly folder: string;
  readonly registry: RegistryEntries;
  readonly limits: Limits;
  readonly interlocks: readonly InterlockFacts[];
  readonly files: readonly { readonly file: string; readonly base64: string }[];
}

interface InterlockFacts {
  readonly id: string;
  readonly reason: string;
  readonly while: Readonly<Record<string, boolean>>;
  readonly require: 'all' | 'any';
  readonly states: Readonly<Record<string, boolean>>;
}

/** A text as the editor has it: line ends are LF, offsets UTF-16 units. */
export interface EditedText {
  /** Absolute path of its file. */
  readonly file: string;
  readonly text: string;
}

/** A finding with its place in the edited text. */
export interface ShownFinding {
  readonly from: number;
  readonly to: number;
  readonly diagnostic: Diagnostic;
  readonly fixes: readonly QuickFix[];
}

export type Vocabulary = typeof VOCABULARY;
export type { Completion, FormatResult, Hover, TextEdit };

/** The questions that the worker answers, with their parameters and answers. */
export interface Questions {
  rig: { params: RigLanguage; answer: null };
  findings: { params: EditedText; answer: readonly ShownFinding[] };
  completion: { params: EditedText & { offset: number }; answer: Completion };
  hover: { params: EditedText & { offset: number }; answer: Hover | null };
  format: { params: EditedText; answer: FormatResult };
  /** The words of the language by their kind, for colours: the editor itself does not load the language. */
  vocabulary: { params: null; answer: Vocabulary };
}

export type Method = keyof Questions;

export interface Question<M extends Method = Method> {
  readonly id: number;
  readonly method: M;
  readonly params: Questions[M]['params'];
}

export type Answer =
  | { readonly id: number; readonly answer: Questions[Method]['answer'] }
  | { readonly id: number; readonly fault: string };
