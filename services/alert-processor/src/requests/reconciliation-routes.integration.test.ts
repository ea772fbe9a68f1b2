import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { create } from '../testing/commands-samples.ts';
import { batchOf } from '../testing/batch-samples.ts';
import { setUp } from '../testing/component-fixture.ts';

const INSTANCE = '0f8fad5b-d9cb-469f-a165-70867728950e';
const report = (through: number, unacknowledged: readonly unknown[] = []) => ({
  instance: INSTANCE,
  partitions: [{ partition: 0, through, unacknowledged }],
});
const since = (instant: string) => `/internal/ledger?since=${encodeURIComponent(instant)}`;
const A_DAY_AGO = '2026-01-01T00:00:00Z';

describe('POST /internal/sequence-reports', () => {
  it('keeps the report of a process', async () => {
    const { app, clock, ledger, vouched } = await setUp();
    const headers = await vouched({ service: 'alert-ingest' });
    const { status } = await request(app)
      .post('/internal/sequence-reports')
      .set(headers)
      .send(report(3, [[2, 2]]));
    expect(status).toBe(200);
    expect(await ledger.owed(clock.now())).toMatchObject([
      { instance: INSTANCE, sequences: [{ partition: 0, through: 3, unacknowledged: [[2, 2]] }] },
    ]);
  });

  it.each([
    [{ instance: 'x', partitions: [] }, 'instance'],
    [report(-1), 'through'],
    [report(3, [[3, 2]]), 'unacknowledged'],
    [
      report(
        3,
        Array.from({ length: 2_001 }, (_, n) => [2 * n + 1, 2 * n + 1]),
      ),
      'unacknowledged',
    ],
  ])('refuses %j', async (body, field) => {
    const { app, clock, ledger, vouched } = await setUp();
    const answer = await request(app)
      .post('/internal/sequence-reports')
      .set(await vouched({ service: 'alert-ingest' }))
      .send(body);
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(field);
    expect(await ledger.owed(clock.now())).toEqual([]);
  });

  it('is for services only', async () => {
    const { app, vouched } = await setUp();
    const { status } = await request(app)
      .post('/internal/sequence-reports')
      .set(await vouched())
      .send(report(3));
    expect(status).toBe(403);
  });
});

describe('GET /internal/ledger', () => {
  it('gives the owed numbers and how many of them are processed', async () => {
    const { app, clock, commands, vouched } = await setUp();
    const headers = await vouched({ service: 'alert-ingest' });
    await request(app)
      .post('/internal/sequence-reports')
      .set(headers)
      .send(report(4, [[2, 2]]));
    clock.advance(30_000);
    const batch = batchOf([create('disk')]);
    const sequence = { instance: INSTANCE, numbers: [1, 3] } as const;
    await commands.process([
      {
        ...batch,
        records: batch.records.map((record) => ({ ...record, sequence })),
      },
    ]);
    const answer = await request(app)
      .get(since(A_DAY_AGO))
      .set(await vouched({ service: 'gateway' }));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      data: { accepted: 3, unacknowledged: 1, lost: 0, waiting: 1, settledSince: 1 },
    });
  });

  it.each(['/internal/ledger', since('yesterday')])('refuses %s', async (path) => {
    const { app, vouched } = await setUp();
    const { status } = await request(app)
      .get(path)
      .set(await vouched({ service: 'gateway' }));
    expect(status).toBe(422);
  });
});
