import { beforeEach, describe, expect, it } from '@jest/globals';
import { collectionOf, type Connection } from '@tocsin/mongo';
import { at, outage } from '../testing/heartbeat-samples.ts';
import { useDatabase } from '../testing/mongo-fixture.ts';
import { MONITOR_LIVENESS, MonitorLivenessStore, type MonitorLivenessDocument } from './liveness-store.ts';

const SILENCE_MS = 10_000;

const database = useDatabase();

describe('a report of a monitor', () => {
  let connection: Connection;
  let liveness: MonitorLivenessStore;

  beforeEach(async () => {
    connection = await database();
    liveness = new MonitorLivenessStore(connection);
  });

  /** Moves the last report into the past, because the clock of the database cannot be moved. */
  async function passMs(milliseconds: number): Promise<void> {
    await collectionOf<MonitorLivenessDocument>(connection, MONITOR_LIVENESS).updateMany({}, [
      { $set: { reportedAt: { $subtract: ['$reportedAt', milliseconds] } } },
    ]);
  }

  it('makes an outage of a silence of all monitors, by the clock of the database, and of a refused ping', async () => {
    const report = (minute: number, refusedPings = false) =>
      liveness.report({ now: at(minute), silenceMs: SILENCE_MS, refusedPings });
    expect(await report(0)).toEqual([outage(0, 0)]);
    await passMs(SILENCE_MS - 2_000);
    expect(await report(1)).toEqual([outage(0, 0)]);
    await passMs(SILENCE_MS + 2_000);
    expect(await report(2)).toEqual([outage(0, 0), outage(1, 2)]);
    expect(await report(3)).toEqual([outage(0, 0), outage(1, 2)]);
    expect(await report(4, true)).toEqual([outage(0, 0), outage(1, 2), outage(3, 4)]);
  });

  it('keeps the outage that another monitor reports at the same time', async () => {
    const report = (minute: number, refusedPings: boolean) =>
      liveness.report({ now: at(minute), silenceMs: SILENCE_MS, refusedPings });
    await report(0, false);
    for (let minute = 1; minute <= 20; minute += 1) {
      await Promise.all([1, 2, 3, 4].map((monitor) => report(minute, monitor === 2)));
      expect((await report(minute, false)).at(-1)?.to).toEqual(at(minute));
    }
  });

  it('keeps the latest outages, those that touch each other as one', async () => {
    const report = (minute: number, refusedPings: boolean) =>
      liveness.report({ now: at(minute), silenceMs: SILENCE_MS, refusedPings });
    for (let minute = 0; minute < 90; minute += 3) {
      await report(minute, false);
      await report(minute + 1, true);
      await report(minute + 2, true);
    }
    const kept = await report(90, false);
    expect(kept).toEqual(Array.from({ length: 20 }, (_, index) => outage(3 * index + 30, 3 * index + 32)));
  });

  it('replaces an end that lies ahead: a clock was wrong, and nothing would expire until then', async () => {
    const report = (minute: number) => liveness.report({ now: at(minute), silenceMs: SILENCE_MS, refusedPings: false });
    expect(await report(60_000)).toEqual([outage(60_000, 60_000)]);
    expect(await report(1)).toEqual([outage(1, 1)]);
    expect(await report(2)).toEqual([outage(1, 1)]);
  });
});
