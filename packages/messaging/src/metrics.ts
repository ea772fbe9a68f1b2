/** What the publisher measures. */
export interface PublisherMetrics {
  /** Messages that wait or are being sent. */
  publisherQueue(messages: number): void;
}

/** What a consumer measures; topics without the installation's prefix. */
export interface ConsumerMetrics {
  /** Records of the partition that are not settled yet. */
  consumerLag(topic: string, partition: number, records: number): void;
  /** How old the last settled record was when it was settled. */
  consumerAge(topic: string, partition: number, seconds: number): void;
  deadLetter(topic: string): void;
  /** A record has a schema version above the one that this process knows; counted at each try. */
  tooNew(topic: string): void;
}
