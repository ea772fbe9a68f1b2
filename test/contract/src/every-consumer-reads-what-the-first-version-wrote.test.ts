import { describe, expect, it } from '@jest/globals';
import { ALL_TOPICS, type TopicDefinition } from '@tocsin/contracts';
import { SAMPLES } from './samples.ts';

const topics = ALL_TOPICS as readonly unknown[] as readonly TopicDefinition<unknown>[];

describe.each(topics)('$name', (topic) => {
  const samples = SAMPLES[topic.name] ?? [];

  it('has a sample of the first version', () => {
    expect(samples.length).toBeGreaterThan(0);
  });

  it('is read today, with nothing of it lost', () => {
    for (const { message, readAs } of samples)
      expect(topic.schema.parse(message)).toEqual({ ...(message as object), ...readAs });
  });

  it('is ordered by the same key as at first', () => {
    for (const { key, message } of samples) expect(topic.key(topic.schema.parse(message))).toBe(key);
  });

  it('ignores a field that a later version adds', () => {
    for (const { message, readAs } of samples)
      expect(topic.schema.parse({ ...(message as object), addedLater: true })).toEqual({
        ...(message as object),
        ...readAs,
      });
  });
});
