import { place } from '../../navigation/route.ts';
import { RecordPage } from './record-page.tsx';
import { RunTable } from './run-table.tsx';

/** The records: a list whose filters are in the address, or one of them. */
export function HistoryView() {
  const { item } = place.value;
  return item === '' ? <RunTable /> : <RecordPage runId={item} key={item} />;
}
