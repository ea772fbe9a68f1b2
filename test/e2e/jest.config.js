import { common, onServers, settings } from '../../jest.config.js';

/** `e2e` runs on containers that its files share, one file after the other, in the process that started them. */
export default {
  ...settings,
  maxWorkers: 1,
  projects: [
    {
      ...common,
      displayName: 'unit',
      roots: ['<rootDir>/src', '<rootDir>/cluster/src'],
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '/dist/', '/src/promises/'],
    },
    {
      ...onServers,
      displayName: 'e2e',
      testMatch: ['**/src/promises/*.test.ts'],
      globalTeardown: '<rootDir>/teardown.mjs',
    },
  ],
};
