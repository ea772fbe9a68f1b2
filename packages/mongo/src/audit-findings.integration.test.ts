import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AUDIT_INDEXES, MongoAuditFindings, type Connection } from './index.ts';
import { dropDatabase, openDatabase } from './testing/own-database.ts';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 5, 8, 0, second));

let connection: Connection;

beforeEach(async () => {
  connection = await openDatabase(AUDIT_INDEXES);
});

afterEach(async () => {
  await dropDatabase(connection);
});

describe('MongoAuditFindings', () => {
  it('remembers since when a partition is stuck, and forgets it when it moves', async () => {
    const findings = new MongoAuditFindings(connection);
    const [one, other] = [
      { id: 'one', text: 'One.' },
      { id: 'other', text: 'Other.' },
    ];
    await findings.record([one, other], at(0));
    const met = await findings.record([{ ...one, text: 'Still one.' }], at(10));
    expect(met).toEqual([{ id: 'one', text: 'Still one.', foundAt: at(0), handledAt: undefined, raisedAt: undefined }]);
    expect(await findings.record([other], at(20))).toMatchObject([{ id: 'other', foundAt: at(20) }]);
    expect(await findings.record([], at(30))).toEqual([]);
  });

  it('keeps a handled finding for a minute after the work is no longer stuck, and then removes it', async () => {
    const findings = new MongoAuditFindings(connection);
    const one = { id: 'one', text: 'One.' };
    await findings.record([one], at(0));
    await findings.claim('one', at(0));
    expect(await findings.record([], at(10))).toEqual([]);
    expect(await findings.record([one], at(59))).toMatchObject([{ foundAt: at(0), handledAt: at(0) }]);
    expect(await findings.record([], at(60))).toEqual([]);
    expect(await findings.record([one], at(70))).toMatchObject([{ foundAt: at(70), handledAt: undefined }]);
  });

  it('lets one of several processes handle it, and notes once when it was raised', async () => {
    const findings = new MongoAuditFindings(connection);
    const stuck = [{ id: 'one', text: 'One.' }];
    await Promise.all([findings.record(stuck, at(0)), new MongoAuditFindings(connection).record(stuck, at(0))]);
    const asked = [1, 2, 3].map((second) => new MongoAuditFindings(connection).claim('one', at(second)));
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
    await findings.recordRaised(['one'], at(40));
    await findings.recordRaised(['one'], at(50));
    expect(await findings.record(stuck, at(60))).toMatchObject([{ foundAt: at(0), raisedAt: at(40) }]);
  });
});
