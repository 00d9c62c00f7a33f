import { place } from '../../navigation/route.ts';
import { ComparePage } from './compare-page.tsx';
import { RecordPage } from './record-page.tsx';
import { RunTable } from './run-table.tsx';

/** The records: a list whose filters are in the address, one of them, or two side by side. */
export function HistoryView() {
  const { item, query } = place.value;
  const other = query.get('compare');
  if (item !== '' && other) return <ComparePage ids={[item, other]} key={`${item} ${other}`} />;
  return item === '' ? <RunTable /> : <RecordPage runId={item} key={item} />;
}
