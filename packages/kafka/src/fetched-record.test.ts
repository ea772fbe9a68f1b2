import { describe, expect, it } from '@jest/globals';
import { ALL_TOPICS, type TopicDefinition } from '@tocsin/events';
import { readRecord } from './fetched-record.ts';

const topics = ALL_TOPICS as readonly unknown[] as readonly TopicDefinition<unknown>[];
const CANARY = 'canary-1-5559876543@example.com';

/** Fields that several topics have, each with what they never hold. */
const FIELDS = ['kind', 'id', 'alertId', 'userId', 'method', 'to', 'state', 'topic', 'noticeId', 'page', 'at', CANARY];

describe.each(topics)('The reason why a record of $name cannot be read, which lists of dead letters show,', (topic) => {
  it('never repeats what the record holds', () => {
    const values = [CANARY, [CANARY], { [CANARY]: CANARY }, Object.fromEntries(FIELDS.map((field) => [field, CANARY]))];
    for (const text of [...values.map((value) => JSON.stringify(value)), CANARY]) {
      const bytes = { key: Buffer.from(CANARY), value: Buffer.from(text) };
      const reading = readRecord(topic.schema, { offset: 0, key: CANARY, timestampMs: 0, bytes });
      expect(reading.ok ? '' : reading.reason).not.toContain(CANARY);
    }
  });
});
