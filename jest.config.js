/**
 * Two kinds of tests run in every workspace: `unit` touches nothing outside the process, `integration` runs on real
 * Kafka and MongoDB. Each run leaves its own report in `reports/`, from which the totals are counted.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// Properties draw the same values in each run of a commit, so that a failure can be repeated, and other values in the next commit.
// Sources without Git, as in an archive of a release, have one seed.
const tree = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd: import.meta.dirname, encoding: 'utf8' });
const SEED_WITHOUT_GIT = 1;
process.env.PROPERTY_SEED ??= String(
  tree.status === 0 ? Number.parseInt(tree.stdout.slice(0, 8), 16) : SEED_WITHOUT_GIT,
);

const testing = (name) => fileURLToPath(new URL(`packages/testkit/jest/${name}`, import.meta.url));

/** What every kind of tests has. */
export const common = {
  roots: ['<rootDir>/src'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': testing('strip-types.cjs') },
  moduleNameMapper: {
    '^fast-check$': testing('fast-check.mjs'),
    '^fast-check/itself$': fileURLToPath(import.meta.resolve('fast-check')),
  },
  testEnvironment: testing('environment.mjs'),
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
};

/** One kind of tests on real servers. */
export const onServers = {
  ...common,
  testEnvironment: testing('environment-servers.mjs'),
};

export const settings = {
  coverageProvider: 'v8',
  passWithNoTests: true,
  // For a test that hangs. None depends on it: on a loaded machine a test takes ten times as long as alone.
  testTimeout: 600_000,
  reporters: ['default', testing('report.mjs'), testing('ends-by-itself.mjs')],
};

/** @type {import('jest').Config} */
export default {
  ...settings,
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '/dist/', '\\.integration\\.test\\.ts$'],
    },
    { ...onServers, displayName: 'integration', testMatch: ['**/*.integration.test.ts'] },
  ],
};
