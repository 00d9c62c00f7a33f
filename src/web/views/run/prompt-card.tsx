import { useState } from 'preact/hooks';
import type { OpenPrompt } from '../../../services/server/runs/prompt-desk.ts';
import { request } from '../../api/request.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Message } from '../../components/message.tsx';
import { RequestMessage } from '../../components/request-message.tsx';
import { formatTime, messages } from '../../messages/index.ts';
import { pictureOf } from './prompt-picture.ts';

interface PromptCardProps {
  runId: string;
  prompt: OpenPrompt;
}

/** What the run waits for a person with; whoever answers first, here or at the terminal, answers it. */
export function PromptCard({ runId, prompt }: PromptCardProps) {
  const text = messages.value.run;
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<unknown>();
  const { text: message, picture } = pictureOf(prompt.message);
  const [missing, setMissing] = useState<string>();
  const answer = (said: string | boolean) => {
    setFault(undefined);
    const path = `/api/runs/${encodeURIComponent(runId)}/prompts/${prompt.n}`;
    request(path, { body: { answer: said } }).then(() => setTyped(''), setFault);
  };
  return (
    <section class="prompt" aria-label={text.prompt}>
      <p class="prompt-message">{message}</p>
      {picture === undefined || picture === missing ? null : (
        <img
          class="prompt-picture"
          src={`/api/media/${encodeURIComponent(picture)}`}
          alt={text.pictureOf(message)}
          onError={() => setMissing(picture)}
        />
      )}
      {picture !== undefined && picture === missing ? (
        <Message kind="warning">{text.noPicture(`media/${picture}`)}</Message>
      ) : null}
      {prompt.closes_at === null ? null : <p>{text.closes(formatTime(Date.parse(prompt.closes_at)))}</p>}
      <div class="row">
        {prompt.asks === 'confirmation' && prompt.task ? (
          <Button kind="primary" size="glove" onClick={() => answer(true)}>
            {text.confirm}
          </Button>
        ) : null}
        {prompt.asks === 'confirmation' && !prompt.task ? (
          <Button kind="primary" size="glove" onClick={() => answer(true)}>
            {text.yes}
          </Button>
        ) : null}
        {prompt.asks === 'confirmation' ? (
          <Button size="glove" onClick={() => answer(false)}>
            {text.no}
          </Button>
        ) : null}
        {prompt.choices.map((choice) => (
          <Button key={choice} size="glove" onClick={() => answer(choice)}>
            {choice}
          </Button>
        ))}
        {prompt.asks === 'value' ? (
          <form
            class="row"
            onSubmit={(event) => {
              event.preventDefault();
              answer(typed);
            }}
          >
            <Field label={text.answer} value={typed} onInput={setTyped} required />
            <Button type="submit" kind="primary" size="glove">
              {text.send}
            </Button>
          </form>
        ) : null}
      </div>
      {fault === undefined ? null : <RequestMessage fault={fault} />}
    </section>
  );
}
