import { Panel } from '../../components/panel.tsx';
import { Plot } from '../../components/plot.tsx';
import { WhenSeen } from '../../components/when-seen.tsx';
import { messages } from '../../messages/index.ts';
import { limitsOf, type RunModel, type TimedLimit } from '../../run/run-model.ts';

/** For the x axis of a plot. */
export const inSeconds = (limit: TimedLimit): TimedLimit => ({
  ...limit,
  from: limit.from / 1000,
  to: limit.to / 1000,
});

/** Every channel that the scenario reads. */
export function RunPlots({ model }: { model: RunModel | undefined }) {
  if (!model || model.traces.size === 0) return null;
  return (
    <Panel title={messages.value.run.plots}>
      <div class="plots">
        {[...model.traces].map(([sensor, { unit, t, v }]) => (
          // That of another run would stay on a plot that is not seen.
          <WhenSeen key={`${model.runId} ${sensor}`}>
            {() => (
              <Plot
                title={unit === null ? sensor : `${sensor} (${unit})`}
                unit={unit}
                x={t.map((ms) => ms / 1000)}
                y={v}
                limits={limitsOf(model, sensor).map(inSeconds)}
              />
            )}
          </WhenSeen>
        ))}
      </div>
    </Panel>
  );
}
