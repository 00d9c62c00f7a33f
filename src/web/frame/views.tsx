import type { ComponentType } from 'preact';
import { BenchView } from '../views/bench/bench-view.tsx';
import { HistoryView } from '../views/history/history-view.tsx';
import { RigView } from '../views/rig/rig-view.tsx';
import { RunViewPage } from '../views/run/run-view.tsx';
import { ScenariosView } from '../views/scenarios/scenarios-view.tsx';
import { StatisticsView } from '../views/statistics/statistics-view.tsx';

/** The views in the order in which they are offered. A view draws what stands below the head. */
export const VIEWS = {
  run: RunViewPage,
  history: HistoryView,
  statistics: StatisticsView,
  scenarios: ScenariosView,
  rig: RigView,
  bench: BenchView,
} as const satisfies Readonly<Record<string, ComponentType>>;

export type ViewName = keyof typeof VIEWS;

export const VIEW_NAMES = Object.keys(VIEWS) as ViewName[];

export const isViewName = (name: string): name is ViewName => Object.hasOwn(VIEWS, name);
