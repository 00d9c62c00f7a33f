import type { RunView } from '../../../services/server/runs/run-view.ts';
import { Choice } from '../../components/field.tsx';
import { useResource } from '../../components/resource.ts';
import { formatDateTime, messages } from '../../messages/index.ts';
import { addressOf, go } from '../../navigation/route.ts';

const MOST = 50;

/** Leads to the comparison of this run with another one of its scenario. */
export function CompareWith({ run }: { run: RunView }) {
  const text = messages.value.history;
  const query = new URLSearchParams({ scenario: run.scenario_id, limit: String(MOST) });
  const { data } = useResource<{ runs: RunView[] }>(`/api/runs?${query}`);
  const others = (data?.runs ?? []).filter(
    ({ run_id, scenario_id }) => run_id !== run.run_id && scenario_id === run.scenario_id,
  );
  if (others.length === 0) return null;
  return (
    <div class="no-print compare-with">
      <Choice
        label={text.compareWith}
        value=""
        onChange={(id) => go(addressOf('history', run.run_id, new URLSearchParams({ compare: id })))}
        options={[['', '–'], ...others.map((one) => [one.run_id, wordsOf(one)] as const)]}
      />
    </div>
  );
}

const wordsOf = ({ run_id, unit_under_test, status, started_at }: RunView): string =>
  [run_id, unit_under_test, messages.value.state[status] ?? status, formatDateTime(started_at)]
    .filter(Boolean)
    .join(' · ');
