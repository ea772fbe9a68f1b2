import { beforeEach, describe, expect, it } from '@jest/globals';
import type { BacklogState, StateMessage } from '@tocsin/events';
import { BacklogReports } from './backlog-reports.ts';
import { RecordingPublisher } from './recording-publisher.ts';

const START = Date.parse('2026-03-01T12:00:00Z');

let nowMs: number;
let oldest: Map<string, number | undefined>;
let publisher: RecordingPublisher;
let reports: BacklogReports;

beforeEach(() => {
  nowMs = START;
  oldest = new Map();
  publisher = new RecordingPublisher();
  reports = new BacklogReports({
    consumer: 'scheduling',
    backlogs: () => new Map([...oldest].map(([partition, oldestMs]) => [partition, { records: 40, oldestMs }])),
    publisher,
    now: () => new Date(nowMs),
  });
});

const published = () => publisher.published.map(({ message }) => message as StateMessage<BacklogState>);

/** The reports of one call: partition -> age. */
async function reported(): Promise<Record<string, number>> {
  const before = published().length;
  await reports.report();
  const messages = published().slice(before);
  return Object.fromEntries(
    messages.map((message) => [message.id, message.deleted ? -1 : message.state.ageMs] as const),
  );
}

describe('BacklogReports', () => {
  beforeEach(async () => {
    oldest.set('0', START - 1_000);
    await reported();
    oldest.set('0', START - 900);
  });

  it('reports the age of the oldest record of each partition that is old and makes progress', async () => {
    oldest
      .set('1', START - 100)
      .set('2', undefined)
      .set('3', START - 5_000);
    expect(await reported()).toEqual({ 'scheduling/0': 900 });
  });

  it('reports again while records are processed, each time with a newer version', async () => {
    await reported();
    nowMs += 250;
    oldest.set('0', START - 500);
    expect(await reported()).toEqual({ 'scheduling/0': 750 });
    const [first, second] = published();
    expect(second).toMatchObject({ state: { consumer: 'scheduling', records: 40 } });
    expect(second?.version.epoch).toBeGreaterThan(first?.version.epoch ?? Infinity);
  });

  it('reports nothing of a partition without progress', async () => {
    await reported();
    nowMs += 5_000;
    expect(await reported()).toEqual({});
  });

  it('reports once that the consumer has caught up', async () => {
    await reported();
    oldest.set('0', undefined);
    expect(await reported()).toEqual({ 'scheduling/0': 0 });
    expect(await reported()).toEqual({});
  });

  it('forgets a partition that another process reads now', async () => {
    await reported();
    oldest.clear();
    expect(await reported()).toEqual({});
    oldest.set('0', START - 300);
    expect(await reported()).toEqual({});
  });

  it('counts a record with a timestamp in the future as one that has not waited', async () => {
    oldest.set('0', START + 60_000);
    expect(await reported()).toEqual({});
  });
});
