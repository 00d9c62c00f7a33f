import { Icon } from '../components/icon.tsx';
import { messages } from '../messages/index.ts';
import { deadWays } from './stop-ways.ts';

/** In the head, beside STOP: the ways of it that are dead. */
export function StopWaysAlert() {
  const dead = deadWays.value;
  return (
    <div role="alert">
      {dead === 'none' ? null : (
        <p class={`stop-ways-alert ${dead === 'both' ? 'is-both' : ''}`} data-dead-ways={dead}>
          <Icon name="warning" />
          {messages.value.stop.dead[dead]}
        </p>
      )}
    </div>
  );
}
