import { limitText } from '../../components/limit-bar.tsx';
import { messages } from '../../messages/index.ts';
import { checkWords, type NamedCheck } from './check-words.ts';

/** What was judged, in words of the page's language. */
export const checkName = (check: NamedCheck): string =>
  checkWords(check, { ...messages.value.statistics, limits: limitText });
