import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { messages } from '../messages/index.ts';
import { Button } from './button.tsx';

interface ConfirmedButtonProps {
  children: ComponentChildren;
  /** What happens, and what cannot be taken back. */
  question: ComponentChildren;
  /** The word that does it. */
  yes: string;
  onConfirm: () => void;
  disabled?: boolean;
}

/** A press that asks where it stands, since nothing may cover STOP. */
export function ConfirmedButton({ children, question, yes, onConfirm, disabled }: ConfirmedButtonProps) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking)
    return (
      <Button {...(disabled ? { disabled } : {})} onClick={() => setAsking(true)}>
        {children}
      </Button>
    );
  return (
    <div class="confirmation" role="alert">
      <p>{question}</p>
      <div class="row">
        <Button
          kind="primary"
          onClick={() => {
            setAsking(false);
            onConfirm();
          }}
        >
          {yes}
        </Button>
        <Button onClick={() => setAsking(false)}>{messages.value.cancel}</Button>
      </div>
    </div>
  );
}
