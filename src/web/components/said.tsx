import { messages } from '../messages/index.ts';
import { translated } from '../messages/sentences.ts';

interface SaidProps {
  text: string;
  /** Of the finding or fault that it words. */
  code?: string;
  /** No author wrote it: where it is not known in the language of the page, it is English. */
  isOfProgram?: boolean;
}

/**
 * A sentence of the rig, in the language of the page where a program made it; an author's one as it was written. Of a
 * finding the page can always say what it means: its own words, with names and values, follow.
 */
export function Said({ text, code = '', isOfProgram = false }: SaidProps) {
  const { sentences, findings } = messages.value;
  const known = translated(text, sentences);
  const meaning = findings[code];
  if (known !== undefined) return <>{known}</>;
  return (
    <>
      {meaning === undefined ? null : `${meaning} `}
      {isOfProgram || meaning !== undefined ? <span lang="en">{text}</span> : text}
    </>
  );
}
