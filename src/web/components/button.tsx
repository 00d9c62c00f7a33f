import type { ComponentChildren } from 'preact';

interface ButtonProps {
  children: ComponentChildren;
  onClick?: () => void;
  /** `primary`: what a person most likely wants next; one on a view. */
  kind?: 'primary' | 'plain' | 'quiet';
  /** `glove`: for what is pressed beside the rig. */
  size?: 'normal' | 'glove';
  type?: 'button' | 'submit';
  disabled?: boolean;
  pressed?: boolean;
  label?: string;
}

export function Button(props: ButtonProps) {
  const {
    children,
    onClick,
    kind = 'plain',
    size = 'normal',
    type = 'button',
    disabled,
    pressed,
    label,
  } = props;
  return (
    <button
      type={type}
      class={`button button-${kind} button-${size}`}
      disabled={disabled}
      onClick={onClick}
      {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
      {...(label === undefined ? {} : { 'aria-label': label })}
    >
      {children}
    </button>
  );
}
