import { describe, expect, it } from '@jest/globals';
import { createAlertBody } from '@tocsin/api';
import { alertBodies } from './ingest-alerts.ts';

describe('the alerts of the bench', () => {
  const bodyOf = alertBodies('Bench');
  const bodies = Array.from({ length: 4_000 }, (_, index) => bodyOf(index));
  const alerts = bodies.map((body) => createAlertBody('reject').parse(JSON.parse(body)));

  it('are creates of about 1 KB that the API takes', () => {
    expect(bodies.every((body) => Math.abs(body.length - 1_024) < 80)).toBe(true);
  });

  it('page a user once in a hundred', () => {
    expect(alerts.filter(({ responders }) => responders.length > 0)).toHaveLength(40);
  });

  it('repeat an alias once in four, and share none with another stream', () => {
    const repeated = alerts.filter(({ alias = '' }) => alias.includes('again'));
    expect(repeated).toHaveLength(1_000);
    expect(new Set(repeated.map(({ alias }) => alias)).size).toBeLessThan(500);
    expect(alertBodies('Bench')(3)).not.toBe(bodies[3]);
  });
});
