import type { ComponentChildren } from 'preact';

interface PanelProps {
  title?: string;
  /** Beside the title. */
  aside?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}

export function Panel({ title, aside, children, class: own = '' }: PanelProps) {
  return (
    <section class={`panel ${own}`}>
      {title === undefined ? null : (
        <header class="panel-head">
          <h2>{title}</h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  );
}
