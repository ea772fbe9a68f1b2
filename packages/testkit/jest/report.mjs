import fs from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The longest text that is kept of one failure. */
const TEXT_LIMIT = 2_000;

/** The number of files that a report names with their duration. */
const SLOWEST = 10;

const nameOf = (testFilePath, rootDir) => path.join(path.basename(rootDir), path.relative(rootDir, testFilePath));

/** The slowest files. */
const slowestOf = (results, rootDir) =>
  results
    .map(({ perfStats, testFilePath }) => ({ test: nameOf(testFilePath, rootDir), ms: perfStats.runtime }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST);

/** The failures of one test file, or that the file could not be run. */
function failuresOf({ testFilePath, testExecError, failureMessage, testResults }, rootDir) {
  const file = nameOf(testFilePath, rootDir);
  const failed = testResults.filter(({ status }) => status === 'failed');
  const text = (message) =>
    stripVTControlCharacters(String(message ?? ''))
      .replaceAll(/\n {4}at .*node_modules.*/g, '')
      .slice(0, TEXT_LIMIT);
  if (failed.length === 0) return testExecError ? [{ test: file, text: text(failureMessage) }] : [];
  return failed.map((test) => ({ test: `${file}: ${test.fullName}`, text: text(test.failureMessages.join('\n')) }));
}

/** Writes the result of a run of jest to `reports/<kind>.json` of its workspace, from which the totals are counted. */
export default class Report {
  #rootDir;

  constructor({ rootDir }) {
    this.#rootDir = rootDir;
  }

  onRunComplete(contexts, results) {
    const kind = [...contexts].map(({ config }) => config.displayName?.name ?? 'unit').join('-');
    const report = {
      kind,
      passed: results.numPassedTests,
      // A file that could not be read has no tests.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
      slowest: slowestOf(results.testResults, this.#rootDir),
      failures: results.testResults.flatMap((file) => failuresOf(file, this.#rootDir)),
    };
    if (kind === '') return;
    const folder = path.join(this.#rootDir, 'reports');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, `${kind}.json`), `${JSON.stringify(report)}\n`);
  }
}
