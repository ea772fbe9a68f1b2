import { onServers, settings } from '../../jest.config.js';

/** Journeys in a browser. All files share one system and one browser, so one file runs after the other. */
export default {
  ...settings,
  maxWorkers: 1,
  projects: [{ ...onServers, displayName: 'console', testMatch: ['**/*.test.ts'] }],
};
