/** What the publisher measures. */
export interface PublisherMetrics {
  /** Messages that wait or are being sent. */
  publisherQueue(messages: number): void;
}

/** The records of one partition that are not settled, as far as they are known. */
export interface Backlog {
  readonly records: number;
  /** When the oldest of them was written, in milliseconds, or somewhat before; undefined where none waits. */
  readonly oldestMs?: number | undefined;
}

/** What a consumer measures; topics without the installation's prefix. */
export interface ConsumerMetrics {
  /** This process consumes the topic: what is counted of it begins at 0. */
  consuming(topic: string): void;
  /** What is not settled of a partition of this process; told before it is tried, so that a partition that stands still shows. */
  consumerBacklog(topic: string, partition: number, backlog: Backlog): void;
  /** The partition is another process's now, which tells of it from here on. */
  consumerLeft(topic: string, partition: number): void;
  deadLetter(topic: string): void;
  /** A record has a schema version above the one that this process knows; counted at each try. */
  tooNew(topic: string): void;
}
