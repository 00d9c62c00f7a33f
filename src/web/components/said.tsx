import { messages } from '../messages/index.ts';
import { translated } from '../messages/sentences.ts';

interface SaidProps {
  text: string;
  /** No author wrote it: where it is not known in the language of the page, it is English. */
  isOfProgram?: boolean;
}

/** A sentence of the rig, in the language of the page where a program made it; an author's one as it was written. */
export function Said({ text, isOfProgram = false }: SaidProps) {
  const known = translated(text, messages.value.sentences);
  if (known !== undefined || !isOfProgram) return <>{known ?? text}</>;
  return <span lang="en">{text}</span>;
}
