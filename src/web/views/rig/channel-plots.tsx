import { useEffect, useState } from 'preact/hooks';
import type { RigAnswer } from '../../../services/server/routes/rig.ts';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { Plot } from '../../components/plot.tsx';
import { WhenSeen } from '../../components/when-seen.tsx';
import { alive } from '../../live/state.ts';
import { messages } from '../../messages/index.ts';

type Peripheral = NonNullable<RigAnswer['peripherals']>[number];

interface Channel {
  unit: string | null;
  /** Wall clock of the rig, ms. */
  t: number[];
  v: (number | null)[];
}

/** Ten minutes at one reading a second. */
const MOST = 600;
/** Seconds that are shown. */
const WINDOWS = [600, 120, 30] as const;

/** All sensors over the last ten minutes, for as long as the view is open. */
export function ChannelPlots({ peripherals }: { peripherals: readonly Peripheral[] }) {
  const text = messages.value.rig;
  const [channels, setChannels] = useState<ReadonlyMap<string, Channel>>(new Map());
  const [isPaused, setPaused] = useState(false);
  const [seconds, setSeconds] = useState<number>(WINDOWS[0]);
  useEffect(() => {
    if (isPaused || peripherals.length === 0) return;
    setChannels((before) => {
      const after = new Map(before);
      for (const { id, type, unit, currentValue, observed_at } of peripherals) {
        if (type !== 'sensor') continue;
        const { t, v } = after.get(id) ?? { t: [], v: [] };
        // A value that is missing is a gap at the time of the rig, whose clock may differ from that of this browser.
        const at = Date.parse(observed_at ?? alive.peek()?.time ?? '');
        if (!(at > (t.at(-1) ?? 0))) continue;
        const value = typeof currentValue === 'number' ? currentValue : null;
        after.set(id, { unit, t: [...t, at].slice(-MOST), v: [...v, value].slice(-MOST) });
      }
      return after;
    });
  }, [peripherals, isPaused]);
  if (channels.size === 0) return null;
  return (
    <Panel
      title={messages.value.run.plots}
      aside={
        <span class="row">
          <Button pressed={isPaused} onClick={() => setPaused(!isPaused)}>
            {text.pause}
          </Button>
          <Button onClick={() => save(channels)}>{text.export}</Button>
        </span>
      }
    >
      <fieldset class="row plain-fieldset" aria-label={text.window}>
        {WINDOWS.map((one) => (
          <Button key={one} pressed={one === seconds} onClick={() => setSeconds(one)}>
            {text.lastSeconds(one)}
          </Button>
        ))}
      </fieldset>
      <div class="plots live">
        {[...channels].map(([id, { unit, t, v }]) => {
          const end = t.at(-1) ?? 0;
          const from = Math.max(
            0,
            t.findIndex((at) => end - at <= seconds * 1000),
          );
          return (
            <WhenSeen key={id}>
              {() => (
                <Plot
                  title={unit === null ? id : `${id} (${unit})`}
                  unit={unit}
                  x={t.slice(from).map((at) => (at - end) / 1000)}
                  y={v.slice(from)}
                  limits={[]}
                />
              )}
            </WhenSeen>
          );
        })}
      </div>
    </Panel>
  );
}

function save(channels: ReadonlyMap<string, Channel>): void {
  const lines = [...channels].flatMap(([id, { unit, t, v }]) =>
    t.map((at, i) => `${new Date(at).toISOString()},${id},${v[i] ?? ''},${unit ?? ''}`),
  );
  const file = new Blob([`time,channel,value,unit\r\n${lines.join('\r\n')}\r\n`], { type: 'text/csv' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = 'channels.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}
