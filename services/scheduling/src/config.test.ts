import { describe, expect, it } from '@jest/globals';
import { Config } from './config.ts';

const read = (change: Record<string, string>) =>
  Config.safeParse({
    KAFKA_BROKERS: 'one:9092',
    MONGODB_URI: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
    INTERNAL_SIGNING_KEY: 'x'.repeat(32),
    ...change,
  });

describe('the setting for how long runs are kept', () => {
  it.each(['0', '14', '14.5', '-30', 'forever', '3651'])('is refused as %s', (days) => {
    const { error } = read({ RUN_RETENTION_DAYS: days });
    expect(error?.issues).toMatchObject([
      { path: ['RUN_RETENTION_DAYS'], message: expect.stringContaining('should be') },
    ]);
  });

  it('says why it cannot be as short as Kafka keeps events', () => {
    const message = expect.stringContaining('at least 15: Kafka keeps events for 14 days');
    expect(read({ RUN_RETENTION_DAYS: '14' }).error?.issues).toMatchObject([{ message }]);
  });

  it('is 30 days by default, and 15 at least', () => {
    expect([read({}), read({ RUN_RETENTION_DAYS: '15' })].map(({ data }) => data?.runRetentionDays)).toEqual([30, 15]);
  });
});
