import { describe, expect, it } from '@jest/globals';
import type { AlertCommand, BatchResult } from '@tocsin/events';
import { batchOf } from '../testing/batch-samples.ts';
import { byAlias, create, pagingCreate } from '../testing/commands-samples.ts';
import { failedStatus } from '../requests/request-status.ts';
import { applyCommands, type CommandContext } from './apply-commands.ts';
import { useStorage } from '../testing/mongo-fixture.ts';

const context: CommandContext = {
  resolve: ({ id = '' }) => ({ kind: 'known', id, name: id }),
  firstTinyId: 1,
  processedAt: new Date('2026-01-05T08:00:02.000Z'),
};

const openStorage = useStorage();
async function open() {
  const storage = await openStorage();
  const apply = (at: number, commands: readonly AlertCommand[], partition = 0): Promise<BatchResult> =>
    storage.ledger.apply([batchOf(commands, at, partition)], (given, stored) => applyCommands(given, stored, context));
  const deadLetter = (at: number, command: AlertCommand, reason: string): Promise<BatchResult> => {
    const [record] = batchOf([command], at).records;
    const where = { topic: 'alert-commands.v1', partition: 0, clusterId: 'cluster' };
    return storage.ledger.deadLetter(
      { ...where, ...record } as never,
      failedStatus(command, reason, context.processedAt),
    );
  };
  return { ...storage, apply, deadLetter };
}

describe('a command that was a dead letter', () => {
  it('processes it once when it is redriven, however often, and its status says so', async () => {
    const { apply, deadLetter, statuses, reader, events } = await open();
    const command = pagingCreate('disk');
    await deadLetter(0, command, 'too odd');
    expect(await apply(1, [command, create('other'), command])).toEqual({ outcome: 'done' });
    expect(await apply(4, [command])).toEqual({ outcome: 'done' });
    const [status, ...more] = await statuses.find([command.requestId]);
    expect(status).toMatchObject({ success: true, status: 'Created alert', alias: 'disk' });
    expect(status?.isDeadLetter).toBeUndefined();
    expect(more).toEqual([]);
    expect(await reader.find(byAlias('disk'))).toMatchObject({ count: 1 });
    expect((await events()).filter(({ state }) => state.alias === 'disk')).toHaveLength(1);
  });

  it('processes it once when it is redriven on two partitions at once', async () => {
    const { apply, deadLetter, reader } = await open();
    const command = create('disk');
    await deadLetter(0, command, 'too odd');
    const both = () => Promise.all([apply(1, [command]), apply(0, [command], 1)]);
    // The consumer retries a conflict, so this does too.
    for (let tries = 0; (await both()).some(({ outcome }) => outcome !== 'done'); tries += 1)
      expect(tries).toBeLessThan(20);
    expect(await reader.find(byAlias('disk'))).toMatchObject({ count: 1 });
  });

  it('names the latest reason when it is a dead letter again', async () => {
    const { deadLetter, statuses } = await open();
    const command = create('disk');
    await deadLetter(0, command, 'too odd');
    await deadLetter(1, command, 'still too odd');
    expect(await statuses.find([command.requestId])).toMatchObject([
      { success: false, status: 'Could not be processed: still too odd' },
    ]);
  });

  it('does not change the status of a processed command', async () => {
    const { apply, deadLetter, statuses } = await open();
    const command = create('disk');
    await apply(0, [command]);
    await deadLetter(1, command, 'too odd');
    expect(await statuses.find([command.requestId])).toMatchObject([{ success: true, status: 'Created alert' }]);
  });
});
