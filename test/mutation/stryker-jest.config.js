import { fileURLToPath } from 'node:url';
import { common } from '../../jest.config.js';
import { areaOf } from './src/areas.ts';

const { workspace } = areaOf(process.env.MUTATION_AREA ?? '');

/** The unit tests of the area's workspace. Stryker puts an environment of its own around that of Node. */
export default {
  ...common,
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  roots: [`<rootDir>/${workspace}/src`],
  testEnvironment: 'node',
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '\\.integration\\.test\\.ts$'],
};
