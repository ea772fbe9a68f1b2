import { ALL_TOPICS } from '@tocsin/contracts';
import { ensureTopics } from '@tocsin/messaging';
import { TroubleError } from './trouble.ts';

const PARTITIONS = 6;
const WITHIN_MS = 30_000;

/** Makes sure that every topic of the installation exists. */
export async function createTopics(brokers: string, prefix: string): Promise<void> {
  const patience = AbortSignal.timeout(WITHIN_MS);
  await Promise.race([
    ensureTopics({ brokers: brokers.split(','), prefix, topics: ALL_TOPICS, partitions: PARTITIONS }),
    new Promise<never>((_, reject) => {
      patience.addEventListener('abort', () => {
        reject(
          new TroubleError(
            `Kafka at ${brokers} did not create the topics within ${WITHIN_MS / 1000} s: does it run? (KAFKA_BROKERS)`,
          ),
        );
      });
    }),
  ]);
}
