import { useCallback, useEffect, useState } from 'preact/hooks';
import type { PageSettings } from '../../services/server/live/live-schema.ts';
import { RequestError, request } from '../api/request.ts';
import { Message } from '../components/message.tsx';
import { connect, connection, isStale, settings } from '../live/state.ts';
import { messages } from '../messages/index.ts';
import { place } from '../navigation/route.ts';
import { listenForScans } from '../run/scanner.ts';
import { enter, station } from '../run/station.ts';
import { TokenForm } from '../session/token-form.tsx';
import { StopPanel } from '../stop/stop-panel.tsx';
import { stopRig } from '../stop/stop-state.ts';
import { watchGuard } from '../stop/stop-ways.ts';
import { Head } from './head.tsx';
import { Alerts } from './status.tsx';
import { isViewName, VIEW_NAMES, VIEWS, type ViewName } from './views.tsx';

/** Time until a server that did not answer at the start is asked again, ms. */
const RETRY_MS = 1000;
/** Who stops or releases, where no operator has given a name. */
const NOBODY = 'operator page';

export function App() {
  const [needsToken, setNeedsToken] = useState(false);
  const begin = useCallback(() => {
    request<PageSettings>('/api/page').then(
      (answer) => {
        settings.value = answer;
        setNeedsToken(false);
        connect();
        watchGuard();
      },
      (fault: unknown) => {
        if (fault instanceof RequestError && fault.status === 401) setNeedsToken(true);
        else setTimeout(begin, RETRY_MS);
      },
    );
  }, []);
  useEffect(begin, [begin]);
  useEffect(() => {
    document.title = settings.value ? `${settings.value.rig} – svc-rig` : 'svc-rig';
  }, [settings.value]);
  const isRefused = connection.value.kind === 'lost' && connection.value.reason === 'refused';
  const operator = station.value?.operator.trim() || NOBODY;
  const onStop = useCallback(() => stopRig(station.value?.operator.trim() || NOBODY), []);
  const [scanned, setScanned] = useState('');
  useEffect(
    () =>
      listenForScans(window, (serial) => {
        enter({ serial });
        setScanned(serial);
      }),
    [],
  );
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {messages.value.skip}
      </button>
      <Head views={VIEW_NAMES.filter(isOffered)} onStop={onStop} />
      <main id="content" tabIndex={-1} data-stale={isStale.value}>
        <StopPanel operator={operator} />
        <Alerts />
        <p class="visually-hidden" role="status">
          {scanned === '' ? '' : messages.value.scanned(scanned)}
        </p>
        {needsToken || isRefused ? <TokenForm onDone={begin} /> : <View />}
      </main>
    </>
  );
}

/** A rig has no bench. */
const isOffered = (name: ViewName): boolean => name !== 'bench' || settings.value?.has_bench === true;

function View() {
  const { view } = place.value;
  if (!isViewName(view)) return <Message kind="warning">{messages.value.unknownView(view)}</Message>;
  const Shown = VIEWS[view];
  return <Shown />;
}
