import { pino, type DestinationStream, type Logger } from 'pino';
import { redact, SECRET_FIELDS } from './redaction.ts';

export type { Logger } from 'pino';

/** The least urgent lines that are written, the most urgent first; `silent` writes none. */
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/**
 * A logger of JSON lines in which no key, phone number or mail address is readable, in whatever field or text it stands.
 * They go to standard output unless another destination is given. `secrets` are hidden wherever they stand.
 * Each line also has the fields that `mixin` answers for it.
 */
export function createLogger(
  name: string,
  level: LogLevel,
  destination?: DestinationStream,
  secrets: readonly string[] = [],
  mixin?: () => object,
): Logger {
  const options = {
    name,
    level,
    ...(mixin && { mixin }),
    redact: { paths: [...SECRET_FIELDS], censor: '[redacted]' },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: (line: string) => redact(line, secrets) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
