import { pino, type DestinationStream, type Logger } from 'pino';
import { redact, SECRET_FIELDS } from './redaction.ts';
import { standardOutput } from './standard-output.ts';

export type { DestinationStream as LogDestination, Logger } from 'pino';

/** Levels, the most urgent first; `silent` writes nothing. */
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/**
 * A logger of JSON lines, to standard output by default. It replaces keys, phone numbers, mail addresses and `secrets` in every
 * field and text. `mixin` returns further fields for each line.
 */
export function createLogger(
  name: string,
  level: LogLevel,
  destination: DestinationStream = standardOutput(),
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
  return pino(options, destination);
}
