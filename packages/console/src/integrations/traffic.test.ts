import { describe, expect, it } from '@jest/globals';
import { refusalText, trafficCounts, trafficNote } from './traffic.ts';

const NOW = Date.parse('2026-01-08T08:30:00Z');

describe('the note of the traffic of an integration', () => {
  it('says when the last alert came, and why a request was last refused', () => {
    const lastRefusal = { at: '2026-01-08T08:28:00Z', status: 422, operation: 'create-alert' };
    expect(trafficNote('API', { lastAlertAt: '2026-01-08T06:30:00Z' }, NOW)).toBe('last alert 2 h ago');
    expect(trafficNote('API', { lastRefusal }, NOW)).toBe(
      'no alert yet · last refused 2 min ago: the request was not valid (422)',
    );
  });

  it('is none for an integration that takes no alerts', () => {
    expect(trafficNote('Webhook', {}, NOW)).toBeUndefined();
    expect(trafficNote('Email', {}, NOW)).toBe('no alert yet');
  });
});

it.each([
  [429, 'its rate was over the limit (429)'],
  [418, 'the request was refused (418)'],
  [502, 'the server could not answer (502)'],
])('The status %i is explained.', (status, text) => {
  expect(refusalText(status)).toBe(text);
});

it('The counts are those of the hours that began within an hour, a day and a week.', () => {
  const hour = (from: string) => ({ from, writes: 4, alerts: 1, refused: 2 });
  const hours = ['2026-01-01T08:00:00Z', '2026-01-01T09:00:00Z', '2026-01-07T09:00:00Z', '2026-01-08T08:00:00Z'];
  expect(trafficCounts({ hours: hours.map(hour) }, NOW)).toEqual([
    ['In this hour', '1 alert, 2 requests refused'],
    ['In 24 hours', '2 alerts, 4 requests refused'],
    ['In 7 days', '3 alerts, 6 requests refused'],
  ]);
});
