import { describe, expect, it } from '@jest/globals';
import type { AlertCommand, Settlement } from '@tocsin/contracts';
import { batchOf } from '../testing/batch-samples.ts';
import { byAlias, create, pagingCreate } from '../testing/commands-samples.ts';
import { failedStatus } from '../domain/request-status.ts';
import { settleCommands, type SettleContext } from '../domain/settle.ts';
import type { AlertStorage } from '../testing/open-storage.ts';

const context: SettleContext = {
  resolve: ({ id = '' }) => ({ kind: 'known', id, name: id }),
  firstTinyId: 1,
  processedAt: new Date('2026-01-05T08:00:02.000Z'),
};

/** The contract of every ledger for commands that became dead letters and are redriven. */
export function describeBuriedCommands(
  name: string,
  make: () => Promise<Pick<AlertStorage, 'ledger' | 'reader' | 'statuses' | 'events'>>,
): void {
  async function open() {
    const storage = await make();
    const settle = (at: number, commands: readonly AlertCommand[], partition = 0): Promise<Settlement> =>
      storage.ledger.settle([batchOf(commands, at, partition)], (given, stored) =>
        settleCommands(given, stored, context),
      );
    const bury = (at: number, command: AlertCommand, reason: string): Promise<Settlement> => {
      const [record] = batchOf([command], at).records;
      const where = { topic: 'alert-commands.v1', partition: 0, clusterId: 'cluster' };
      return storage.ledger.bury({ ...where, ...record } as never, failedStatus(command, reason, context.processedAt));
    };
    return { ...storage, settle, bury };
  }

  describe(`${name} with a command that was buried`, () => {
    it('settles it once when it is redriven, however often, and its status says so', async () => {
      const { settle, bury, statuses, reader, events } = await open();
      const command = pagingCreate('disk');
      await bury(0, command, 'too odd');
      expect(await settle(1, [command, create('other'), command])).toEqual({ outcome: 'done' });
      expect(await settle(4, [command])).toEqual({ outcome: 'done' });
      const [status, ...more] = await statuses.find([command.requestId]);
      expect(status).toMatchObject({ success: true, status: 'Created alert', alias: 'disk' });
      expect(status?.buried).toBeUndefined();
      expect(more).toEqual([]);
      expect(await reader.find(byAlias('disk'))).toMatchObject({ count: 1 });
      expect((await events()).filter(({ state }) => state.alias === 'disk')).toHaveLength(1);
    });

    it('settles it once when it is redriven on two partitions at once', async () => {
      const { settle, bury, reader } = await open();
      const command = create('disk');
      await bury(0, command, 'too odd');
      const both = () => Promise.all([settle(1, [command]), settle(0, [command], 1)]);
      // The consumer retries a conflict, so this does too.
      for (let tries = 0; (await both()).some(({ outcome }) => outcome !== 'done'); tries += 1)
        expect(tries).toBeLessThan(20);
      expect(await reader.find(byAlias('disk'))).toMatchObject({ count: 1 });
    });

    it('names the latest reason when it is buried again', async () => {
      const { bury, statuses } = await open();
      const command = create('disk');
      await bury(0, command, 'too odd');
      await bury(1, command, 'still too odd');
      expect(await statuses.find([command.requestId])).toMatchObject([
        { success: false, status: 'Could not be processed: still too odd' },
      ]);
    });

    it('leaves the status of a command that has settled as it is', async () => {
      const { settle, bury, statuses } = await open();
      const command = create('disk');
      await settle(0, [command]);
      await bury(1, command, 'too odd');
      expect(await statuses.find([command.requestId])).toMatchObject([{ success: true, status: 'Created alert' }]);
    });
  });
}
