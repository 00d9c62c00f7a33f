import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  type?: 'text' | 'password' | 'search';
  disabled?: boolean;
  required?: boolean;
  hint?: string;
  /** Of the browser's own list of earlier entries. */
  name?: string;
  suggestions?: readonly string[];
  placeholder?: string;
}

export function Field({ label, value, onInput, type = 'text', hint, suggestions, ...more }: FieldProps) {
  const id = useId();
  const common = {
    id,
    value,
    autocomplete: 'off',
    spellcheck: false,
    onInput: (event: { currentTarget: HTMLInputElement }) => onInput(event.currentTarget.value),
    ...(hint ? { 'aria-describedby': `${id}-hint` } : {}),
    ...more,
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {suggestions ? (
        <input {...common} type="text" list={`${id}-list`} />
      ) : type === 'search' ? (
        <input {...common} type="search" />
      ) : type === 'password' ? (
        <input {...common} type="password" />
      ) : (
        <input {...common} type="text" />
      )}
      {hint ? (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {suggestions ? (
        <datalist id={`${id}-list`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      ) : null}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly (readonly [value: string, text: string])[];
  disabled?: boolean;
}

/** One of a few. */
export function Choice({ label, value, onChange, options, disabled }: ChoiceProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} disabled={disabled} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A name and its value. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
