import { common, settings } from '../../jest.config.js';

/** Every file renders the chart with a real Helm. */
export default {
  ...settings,
  // They give way to tests on real engines, and promtool goes through days minute by minute.
  testTimeout: 900_000,
  maxWorkers: 2,
  projects: [{ ...common, displayName: 'chart', testMatch: ['**/*.test.ts'] }],
};
