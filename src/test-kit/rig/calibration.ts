/** Members of a calibration that is valid as long as tests will be run. */
export const CONFIRMED = {
  calibratedAt: '2024-01-01',
  dueAt: '2099-12-31',
  confirmedAt: '2024-01-01T09:00:00Z',
  confirmedBy: 'a test',
} as const;
