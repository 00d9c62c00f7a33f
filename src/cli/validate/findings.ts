import type { ValidationIssue } from '../../scenario/profiles/report-shape.ts';
import { posInLine } from '../../scenario/source/position.ts';
import type { Finding } from '../diagnostics/render.ts';
import type { SourceTexts } from '../diagnostics/source-texts.ts';

/** An issue of a profile as it is shown: it names a line, so the whole text of that line is its range. */
export function issueFinding(issue: ValidationIssue, file: string, texts: SourceTexts): Finding {
  const { rule, severity, message, line, suggestion } = issue;
  const text = line === null ? undefined : texts.line(file, line);
  const start = (text?.match(/\S/)?.index ?? 0) + 1;
  return {
    severity,
    label: rule,
    message,
    notes: suggestion === null ? [] : [['help', suggestion]],
    ...(line === null ? {} : { pos: posInLine(file, line, start, (text?.trimEnd().length ?? start) + 1) }),
  };
}
