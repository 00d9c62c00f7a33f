import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

interface MessageProps {
  /** `alarm`: somebody has to act now; `warning`: look at it; `note`: nothing to do. */
  kind: 'alarm' | 'warning' | 'note';
  children: ComponentChildren;
  actions?: ComponentChildren;
}

const ICONS = { alarm: 'cross', warning: 'warning', note: 'dot' } as const;

export function Message({ kind, children, actions }: MessageProps) {
  return (
    <div class={`message message-${kind}`} role={kind === 'note' ? 'status' : 'alert'}>
      <Icon name={ICONS[kind]} />
      <div class="message-text">{children}</div>
      {actions ? <div class="message-actions">{actions}</div> : null}
    </div>
  );
}
