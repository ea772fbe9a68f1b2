export { secretsOf } from './redaction.ts';
export { createLogger } from './logger.ts';
export type { Logger, LogLevel } from './logger.ts';
export { Metrics } from './metrics.ts';
export type { AlertStage, HttpRequest } from './metrics.ts';
