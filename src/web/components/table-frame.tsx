import type { ComponentChildren } from 'preact';

interface TableFrameProps {
  label: string;
  children: ComponentChildren;
  class?: string;
}

/** Around a table: a wide one scrolls inside, by keyboard too. */
export function TableFrame({ label, children, class: own = '' }: TableFrameProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class={`table-frame ${own}`} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
