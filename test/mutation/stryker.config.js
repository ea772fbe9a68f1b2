import os from 'node:os';
import { areaOf } from './src/areas.ts';

const area = process.env.MUTATION_AREA ?? '';

/** Settings of Stryker, which is not a dependency of this repository: `src/main.ts` downloads it. */
export default {
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { projectType: 'custom', configFile: 'test/mutation/stryker-jest.config.js' },
  coverageAnalysis: 'perTest',
  mutate: areaOf(area).files,
  // Nothing is compiled. Stryker would rewrite a tsconfig in its copy, for which it needs a compiler of its own.
  tsconfigFile: 'none',
  ignorePatterns: ['dist', 'reports', '.tocsin', '*.tsbuildinfo', '/charts', '/docs'],
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { allowColor: false, allowEmojis: false, reportTests: false, reportScoreTable: false },
  jsonReporter: { fileName: `test/mutation/reports/${area}.json` },
  concurrency: os.availableParallelism(),
  tempDirName: 'test/mutation/reports/sandbox',
};
