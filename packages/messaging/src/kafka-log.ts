import { type logCreator, logLevel } from 'kafkajs';
import type { MessagingLogger } from './logger.ts';

/** Everyday business of a group or of a reconnect, which the client reports as errors and warnings. */
const EVERYDAY =
  /rebalance|rebalancing|coordinator|re-joining|resync|not aware of this member|Topic with this name already exists|leader|metadata|illegal generation|Stopped|Restarting/i;

/**
 * Hands the client's own log on, lowered by one or two levels: what it calls an error is mostly something that it repairs
 * itself, and what it does not repair reaches the caller as an error of its own.
 */
export function quietLog(logger: MessagingLogger): logCreator {
  return () =>
    ({ level, namespace, log }) => {
      const { message, ...fields } = log;
      const line = { ...fields, kafka: namespace, timestamp: undefined, stack: undefined };
      if (level === logLevel.ERROR && !EVERYDAY.test(`${message} ${String(log['error'] ?? '')}`))
        logger.warn(line, message);
      else if (level <= logLevel.WARN && level !== logLevel.NOTHING) logger.info(line, message);
      else logger.debug(line, message);
    };
}
