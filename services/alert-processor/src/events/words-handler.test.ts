import { describe, expect, it } from '@jest/globals';
import { AlertEvents, type AlertEvent } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { CollectWords } from '../application/collect-words.ts';
import { setUp } from '../component-fixture.contract.ts';
import type { AlertWords } from '../domain/alert-words.ts';
import { addNote, byAlias, create } from '../domain/commands.samples.ts';
import { wordsHandler } from './words-handler.ts';

const eventBatch = (events: readonly AlertEvent[]) => ({
  ...{ topic: AlertEvents.name, partition: 0, clusterId: 'c' },
  records: events.map((value, offset) => ({ offset, key: value.alertId, timestampMs: 0, value })),
});

describe('a batch of alert events', () => {
  const events = async () => {
    const { settle, store } = setUp();
    await settle(
      create('Disk', { alert: { message: 'Disk FULL', tags: ['two words'] } }),
      addNote(byAlias('Disk'), 'n'),
      create('cpu'),
    );
    return store.events;
  };

  it('keeps the words of each alert once, at its last version', async () => {
    const batch = eventBatch(await events());
    const kept: AlertWords[] = [];
    const keep = (collected: readonly AlertWords[]) => Promise.resolve(void kept.push(...collected));
    const handler = wordsHandler(new CollectWords({ keep }));
    expect(await handler.settle(batch)).toEqual({ outcome: 'done' });
    expect(kept).toMatchObject([
      {
        version: 2,
        words: {
          words: ['disk', 'full', '10', '0', '7', 'two', 'words'],
          message: ' disk full ',
          others: [' disk ', '  ', ' 10 0 0 7 ', ' two words '],
        },
      },
      { version: 1 },
    ]);
  });

  it('comes again when the database is away', async () => {
    const keep = () => Promise.reject(new UnavailableError('away'));
    const settlement = await wordsHandler(new CollectWords({ keep })).settle(eventBatch(await events()));
    expect(settlement).toMatchObject({ outcome: 'retry' });
  });
});
