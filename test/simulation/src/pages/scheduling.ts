import { type PageMessage, Pages } from '@tocsin/events';
import { BatchingPublisher } from '@tocsin/kafka';
import { type SimulatedCluster, SILENT } from '../kafka/cluster.ts';
import type { SimulatedProcess } from '../scheduler/scheduler.ts';
import type { AlertStory } from './workload.ts';

/** Once in so many, earlier messages of an alert are published again, as a relay does that takes over. */
const REPEATED_ONCE_IN = 3;
/** A publisher gives up after a while; then the message is published again. */
const RETRY_MS = 200;

/** Publishes what scheduling says about some alerts: the messages of each in their order, some of them again. It is never killed. */
export class PagePublishing {
  readonly #process: SimulatedProcess;
  readonly #publisher: BatchingPublisher;
  readonly #stories: readonly AlertStory[];
  #published = 0;

  constructor(process: SimulatedProcess, cluster: SimulatedCluster, stories: readonly AlertStory[]) {
    this.#process = process;
    this.#publisher = new BatchingPublisher({ kafka: cluster.connect(process), logger: SILENT, topics: [] });
    this.#stories = stories;
  }

  /** Whether all messages are published. */
  get isFinished(): boolean {
    return this.#published === this.#stories.length;
  }

  async start(): Promise<void> {
    await this.#publisher.start();
    await Promise.all(this.#stories.map((story) => this.#publishStory(story)));
  }

  async #publishStory({ messages }: AlertStory): Promise<void> {
    const { scheduler } = this.#process;
    const sent: PageMessage[] = [];
    for (const { afterMs, message } of messages) {
      await this.#process.sleep(afterMs);
      sent.push(message);
      await this.#publish(message);
      if (scheduler.choose('repeat', REPEATED_ONCE_IN) > 0) continue;
      for (const each of sent.slice(scheduler.choose('first repeated', sent.length))) await this.#publish(each);
    }
    this.#published += 1;
  }

  /** Until the publisher says that it is written. */
  async #publish(message: PageMessage): Promise<void> {
    for (;;)
      try {
        await this.#publisher.publish(Pages, [message]);
        return;
      } catch {
        await this.#process.sleep(RETRY_MS);
      }
  }
}
