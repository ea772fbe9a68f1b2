import { type logCreator, logLevel } from 'kafkajs';
import type { MessagingLogger } from './ports.ts';

/** Messages that the client logs as errors at each rebalance or reconnect, which are routine. */
const ROUTINE =
  /rebalance|rebalancing|coordinator|re-joining|resync|not aware of this member|Topic with this name already exists|leader|metadata|illegal generation|Stopped|Restarting/i;

/**
 * Passes the client's log on, one or two levels lower. The client repairs most of its errors by itself and throws the
 * others to the caller.
 */
export function quietLog(logger: MessagingLogger): logCreator {
  return () =>
    ({ level, namespace, log }) => {
      const { message, ...fields } = log;
      const line = { ...fields, kafka: namespace, timestamp: undefined, stack: undefined };
      if (level === logLevel.ERROR && !ROUTINE.test(`${message} ${String(log['error'] ?? '')}`))
        logger.warn(line, message);
      else if (level <= logLevel.WARN && level !== logLevel.NOTHING) logger.info(line, message);
      else logger.debug(line, message);
    };
}
