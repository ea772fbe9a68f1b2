import type { Logger } from './observability/index.ts';

const OPTION = '--disable-warning=';

/** Logs the warnings of Node and of libraries, which Node itself writes to standard error as plain text. */
export function logWarnings(logger: Pick<Logger, 'warn'>): void {
  // Node listens unless all warnings are disabled.
  if (process.listenerCount('warning') === 0) return;
  const given = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(' ')];
  const options = given.filter((option) => option.startsWith(OPTION));
  const disabled = new Set(options.map((option) => option.slice(OPTION.length)));
  // Node's own listener prints them.
  process.removeAllListeners('warning');
  process.on('warning', (warning: NodeJS.ErrnoException) => {
    if (!disabled.has(warning.name) && !disabled.has(warning.code ?? ''))
      logger.warn({ err: warning }, 'Node or a library reports a warning.');
  });
}
