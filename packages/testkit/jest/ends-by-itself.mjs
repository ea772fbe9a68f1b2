/** Much longer than any server needs to close, also on a loaded machine. */
const LIMIT_MS = 60_000;
const FORCED_LIMIT_MS = 1_000;

/** They run services and clients of engines in this process, some of which close later than the last test ends. */
const FORCED = ['integration', 'acceptance', 'clients', 'console', 'fuzz'];

/**
 * A run that passed must end by itself: where something stays open, this reporter names it and fails the run. A failed test may leave a
 * server open, so a failed run is ended, and so is a run of a kind in `FORCED`.
 */
export default class EndsByItself {
  onRunComplete(contexts, { numFailedTests, numRuntimeErrorTestSuites }) {
    const passed = numFailedTests + numRuntimeErrorTestSuites === 0;
    if (!passed || [...contexts].some(({ config }) => FORCED.includes(config.displayName?.name))) {
      setTimeout(() => process.exit(passed ? 0 : 1), FORCED_LIMIT_MS).unref();
      return;
    }
    setTimeout(() => {
      process.stderr.write(`All tests passed, and left open: ${process.getActiveResourcesInfo().join(', ')}\n`);
      process.exit(1);
    }, LIMIT_MS).unref();
  }
}
