import { describe, expect, it } from '@jest/globals';
import { useStores } from '../testing/mongo-fixture.ts';
import { replyCode } from '../testing/act-samples.ts';
import { RetainedRows } from '../messages/store.ts';

const open = useStores();

describe('codes that were given to numbers', () => {
  it('finds the alert of a code by its number, and by no other number or code', async () => {
    const { codes } = await open();
    await codes.keep(replyCode());
    expect(await codes.find('15551234567', '7kqmxz')).toEqual(replyCode());
    expect(await codes.find('15551234568', '7kqmxz')).toBeUndefined();
    expect(await codes.find('1555123456', '7kqmxz')).toBeUndefined();
    expect(await codes.find('15551234567', '8kqmxz')).toBeUndefined();
  });

  it('keeps a code once, however often its message is tried', async () => {
    const { codes } = await open();
    await Promise.all([codes.keep(replyCode()), codes.keep(replyCode())]);
    await codes.keep(replyCode());
    expect(await codes.find('15551234567', '7kqmxz')).toEqual(replyCode());
  });

  it('keeps apart the codes of two users with one number', async () => {
    const { codes } = await open();
    await codes.keep(replyCode());
    await codes.keep(replyCode({ code: '7bcdfg', userId: 'grace', page: 'p2' }));
    expect(await codes.find('15551234567', '7kqmxz')).toMatchObject({ userId: 'ada' });
    expect(await codes.find('15551234567', '7bcdfg')).toMatchObject({ userId: 'grace' });
  });

  it('finds whole numbers that have codes', async () => {
    const { codes } = await open();
    await codes.keep(replyCode());
    const known = ['15551234567', '1555123456', '155512345670', '5551234567', ''].map((number) =>
      codes.isKnown(number),
    );
    expect(await Promise.all(known)).toEqual([true, false, false, false, false]);
  });

  it('go once they expired long ago', async () => {
    const { codes, connection } = await open();
    const { expiresAt } = replyCode();
    await codes.keep(replyCode());
    await codes.keep(replyCode({ code: '8kqmxz', expiresAt: new Date(expiresAt.getTime() + 1) }));
    await new RetainedRows(connection).remove('codes', expiresAt);
    expect(await codes.find('15551234567', '7kqmxz')).toBeUndefined();
    expect(await codes.find('15551234567', '8kqmxz')).toBeDefined();
  });
});
