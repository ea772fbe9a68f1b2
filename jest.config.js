/**
 * Two kinds of tests run in every workspace: `unit` touches nothing outside the process, `integration` runs on real
 * Kafka and MongoDB. Each run leaves its own report in `reports/`, from which the totals are counted.
 */
import { fileURLToPath } from 'node:url';

const stripTypes = fileURLToPath(new URL('jest-strip-types.cjs', import.meta.url));
const patience = fileURLToPath(new URL('jest-integration-setup.cjs', import.meta.url));

const common = {
  roots: ['<rootDir>/src'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': stripTypes },
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
};

/** @type {import('jest').Config} */
export default {
  coverageProvider: 'v8',
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '/dist/', '\\.integration\\.test\\.ts$'],
    },
    {
      ...common,
      displayName: 'integration',
      testMatch: ['**/*.integration.test.ts'],
      setupFilesAfterEnv: [patience],
    },
  ],
};
