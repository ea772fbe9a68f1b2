import { describe, expect, test } from '@jest/globals';
import { evaluation } from '@tocsin/alert-ingest/evaluation';
import { createAlertBody, IntegrationActionsBody } from '@tocsin/api';
import { benchActions } from './actions-load.ts';
import { besideReadingResult } from './beside-reading.ts';
import { alertBodies } from './ingest-alerts.ts';

describe('the actions of the bench', () => {
  test.each([3, 50])('are %i, of which the last alone holds', (count) => {
    const actions = IntegrationActionsBody.parse(benchActions(count));
    expect(Object.values(actions).flat()).toHaveLength(count);
    const body = createAlertBody('reject').parse(JSON.parse(alertBodies('none')(2)));
    expect(evaluation(actions, body)()).toMatchObject({
      kind: 'create',
      alert: { alias: 'db-1-db-1.example.com', tags: expect.arrayContaining([`service-${count - 1}`]) },
    });
  });
});

describe('a bench beside reading', () => {
  const good = { what: 'evaluating 50 actions', tookUs: [300, 40, 30], readUs: [20, 10, 100], limitUs: 100 };

  test('shows what an evaluation takes, and how that compares with reading the body', () => {
    const { table, kept } = besideReadingResult(good);
    expect(kept).toBe(true);
    expect(table).toMatch(/evaluating 50 actions +40\.0 us +300\.0 us/);
    expect(table).toMatch(/evaluating \/ reading +2\.00 +3\.00/);
  });

  test('is not content when it takes too long', () => {
    expect(besideReadingResult({ ...good, tookUs: [100, 100, 40] }).kept).toBe(false);
  });
});
