import { describe, expect, it } from '@jest/globals';
import { logLevel } from 'kafkajs';
import { quietLog } from './kafka-log.ts';

function lines(level: logLevel, message: string, error?: string): string[] {
  const written: string[] = [];
  const write = (name: string) => (_: object, text: string) => void written.push(`${name}: ${text}`);
  const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const log = { timestamp: '', logger: 'kafkajs', message, ...(error === undefined ? {} : { error }) };
  quietLog(logger)(logLevel.INFO)({ namespace: 'Connection', level, label: '', log });
  return written;
}

describe('the log of the Kafka client', () => {
  it('is a warning where the client speaks of an error', () => {
    expect(lines(logLevel.ERROR, 'Connection error: refused')).toEqual(['warn: Connection error: refused']);
  });

  it('is information where the client reports a routine rebalance as an error', () => {
    expect(lines(logLevel.ERROR, 'The coordinator is not aware of this member')).toHaveLength(1);
    expect(lines(logLevel.ERROR, 'Response Heartbeat', 'The group is rebalancing, so a rejoin is needed')).toEqual([
      'info: Response Heartbeat',
    ]);
  });

  it('is for debugging where the client informs', () => {
    expect(lines(logLevel.INFO, 'Consumer has joined the group')).toEqual(['debug: Consumer has joined the group']);
  });
});
