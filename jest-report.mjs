import fs from 'node:fs';
import path from 'node:path';

/** Leaves what a run of jest came to in `reports/<kind>.json` of its workspace, from which the totals are counted. */
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
      // A file that could not even be read has no tests to fail.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    if (kind === '') return;
    const folder = path.join(this.#rootDir, 'reports');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, `${kind}.json`), `${JSON.stringify(report)}\n`);
  }
}
