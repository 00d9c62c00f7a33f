import { measuredRuns } from '../statistics/measured-row.ts';
import { measurementStatistics } from '../statistics/measurement-statistics.ts';
import { scenarioStatistics } from '../statistics/scenario-statistics.ts';
import { firstRunsOf } from '../statistics/yields.ts';
import type { Database } from './database.ts';
import { endedBefore } from './queries/ended-before.ts';
import { listRuns, sealOf } from './queries/list-runs.ts';
import { measuredRows } from './queries/measured-rows.ts';
import { measurementKeys } from './queries/measurement-keys.ts';
import { originsOf } from './queries/origins.ts';
import { scenarioCounts } from './queries/scenario-counts.ts';
import { storeSummary } from './queries/store-summary.ts';
import type { AnswerOf, AskOf, KeyDescription, QuestionName } from './questions.ts';
import { narrows, widened } from './run-filter.ts';
import type { RunIndex } from './run-index.ts';

type Answers = { [Name in QuestionName]: (index: RunIndex, ask: AskOf<Name>) => Promise<AnswerOf<Name>> };

const ANSWERS: Answers = {
  list: listRuns,
  keys: async (index, filter) => {
    await index.catchUpValues();
    return index.ask((database) => ({
      measurements: measurementKeys(database, filter),
      damaged: damagedCount(database),
    }));
  },
  measurement: async (index, { key, filter, unit, points, base }) => {
    await index.catchUpValues();
    return index.ask((database) => {
      const rows = measuredRows(database, key, filter);
      const firstRuns = narrows(filter)
        ? firstRunsOf(measuredRuns(measuredRows(database, key, widened(filter))))
        : undefined;
      return {
        description: descriptionOf(database, key),
        statistics: measurementStatistics(rows, { unit, points, base, firstRuns }),
        damaged: damagedCount(database),
      };
    });
  },
  scenarios: async (index, { filter, interval }) => {
    await index.catchUpValues();
    return index.ask((database) => ({
      statistics: scenarioStatistics(scenarioCounts(database, filter), interval),
      origins: originsOf(database, filter),
      damaged: damagedCount(database),
    }));
  },
  seal: sealOf,
  ended: async (index, ids) => index.ask((database) => endedBefore(database, ids)),
  progress: async (index) => {
    index.catchUp();
    return index.progress();
  },
  summary: async (index) => {
    index.catchUp();
    return index.ask(storeSummary);
  },
};

/** @throws IndexError */
export function answer<Name extends QuestionName>(
  index: RunIndex,
  name: Name,
  ask: AskOf<Name>,
): Promise<AnswerOf<Name>> {
  return ANSWERS[name](index, ask);
}

function descriptionOf(database: Database, key: string): KeyDescription | null {
  const row = database.get<KeyDescription>(
    'SELECT key, scenario, block, check_name AS "check", sensor FROM keys WHERE key = ?',
    key,
  );
  if (!row) return null;
  const { scenario, block, check, sensor } = row;
  return { key, scenario, block, check, sensor };
}

const damagedCount = (database: Database): number =>
  database.get<{ n: number }>('SELECT count(*) AS n FROM runs WHERE damaged IS NOT NULL')?.n ?? 0;
