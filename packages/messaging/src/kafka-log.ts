import { type logCreator, logLevel } from 'kafkajs';
import type { MessagingLogger } from './ports.ts';

/** Everyday business of a group or of a reconnect, which the client reports as errors and warnings. */
const EVERYDAY =
  /rebalance|rebalancing|coordinator|re-joining|resync|not aware of this member|Topic with this name already exists|leader|metadata|illegal generation|Stopped|Restarting/i;

/**
 * Passes the client's log on, one or two levels lower: most of what it logs as an error it repairs itself, and the rest reaches
 * the caller as an error.
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
