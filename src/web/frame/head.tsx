import { useEffect, useRef } from 'preact/hooks';
import { settings } from '../live/state.ts';
import { messages } from '../messages/index.ts';
import { addressOf, place } from '../navigation/route.ts';
import { StopButton } from '../stop/stop-button.tsx';
import { StopWaysAlert } from '../stop/stop-ways-alert.tsx';
import { Preferences } from './preferences.tsx';
import { ConnectionMark, LeaseMark, ModeBanner } from './status.tsx';
import type { ViewName } from './views.tsx';

/** On top of every view: which rig, how it works, who has it, and STOP. Nothing covers it. */
export function Head({ views, onStop }: { views: readonly ViewName[]; onStop: () => void }) {
  const nav = useRef<HTMLElement>(null);
  const { view } = place.value;
  useEffect(() => {
    // On a narrow screen the views are a row that scrolls.
    const link = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (nav.current && link)
      nav.current.scrollLeft = link.offsetLeft + link.offsetWidth / 2 - nav.current.clientWidth / 2;
  }, [view]);
  return (
    <header class="head">
      <div class="head-bar">
        <div class="head-rig">
          <h1>{settings.value?.rig ?? messages.value.title}</h1>
          <ConnectionMark />
          <LeaseMark />
        </div>
        <ModeBanner />
        <StopButton onStop={onStop} />
      </div>
      <StopWaysAlert />
      <div class="head-nav">
        <nav ref={nav} aria-label={messages.value.navigation}>
          {views.map((name) => (
            <a
              key={name}
              href={addressOf(name)}
              {...(view === name ? { 'aria-current': 'page' as const } : {})}
            >
              {messages.value.views[name]}
            </a>
          ))}
        </nav>
        <Preferences />
      </div>
    </header>
  );
}
