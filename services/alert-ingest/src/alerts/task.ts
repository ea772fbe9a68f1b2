import type { SequenceReport } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { SequenceCounter } from '@tocsin/kafka';
import { internalClient, type ServiceContext } from '@tocsin/service';

const REPORT_EVERY_MS = 5_000;

/**
 * Opens the counter of the commands that this process writes. It is reported to alert-processor every five seconds, and once more at
 * the stop, when the publisher has ended: so this is called before the publisher is opened.
 */
export function openSequenceReports(context: ServiceContext): SequenceCounter {
  const { lifecycle, logger, tasks } = context;
  const counter = new SequenceCounter();
  const client = internalClient(context, 'alert-processor');
  const store = async (report: SequenceReport) => {
    const { status } = await client.post('/internal/sequence-reports', report);
    if (status !== 200) throw new UnavailableError(`A report of command numbers was answered ${status}.`);
  };
  lifecycle.add('the last report of command numbers', async () => {
    await reportSequences(counter, store).catch((error: unknown) => {
      logger.warn({ err: error }, 'alert-processor has not stored the last report of command numbers');
    });
  });
  tasks.add({ name: 'report-sequences', everyMs: REPORT_EVERY_MS, activate: () => reportSequences(counter, store) });
  return counter;
}

/**
 * Reports the numbers of the commands that Kafka has acknowledged to this process. A report that `store` refuses is part of the next one.
 *
 * @throws what `store` throws.
 */
export async function reportSequences(
  counter: SequenceCounter,
  store: (report: SequenceReport) => Promise<void>,
): Promise<void> {
  const report = counter.report();
  if (report.partitions.length === 0) return;
  await store(report);
  counter.stored(report);
}
