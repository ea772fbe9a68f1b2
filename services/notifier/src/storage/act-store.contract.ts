import { describe, expect, it } from '@jest/globals';
import { AlertCommand, Decision } from '@tocsin/contracts';
import type { ActStore } from '../ports/act-store.ts';
import { act } from '../testing/act-samples.ts';

/** A store, and what it has published. */
export interface ActsUnderTest {
  readonly acts: ActStore;
  readonly commands: () => Promise<readonly unknown[]>;
  readonly decisions: () => Promise<readonly unknown[]>;
}

const AT = new Date('2026-01-01T00:05:00Z');

/** What every store of acts promises. */
export function describeActStore(name: string, create: () => Promise<ActsUnderTest>): void {
  describe(`${name}, of what people do by answers`, () => {
    it('publishes the order and what the log says of it, in the name of the user', async () => {
      const { acts, commands, decisions } = await create();
      expect(await acts.take(act(), AT)).toBe(true);
      const [command, ...more] = await commands();
      expect(more).toEqual([]);
      expect(AlertCommand.parse(command)).toMatchObject({
        kind: 'acknowledge',
        requestId: 'answer:a1:1:acknowledge',
        identifier: { type: 'id', value: 'a1' },
        actor: 'ada@example.com',
        acceptedAt: AT.toISOString(),
      });
      expect((await decisions()).map((one) => Decision.parse(one))).toMatchObject([
        { alertId: 'a1', verdicts: [{ text: 'ada@example.com acknowledges the alert by the link of a mail.' }] },
      ]);
    });

    it('takes an answer once, though it is given twice at the same time and again later', async () => {
      const { acts, commands, decisions } = await create();
      const taken = await Promise.all([acts.take(act(), AT), acts.take(act(), AT), acts.take(act(), AT)]);
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect(await acts.take(act(), new Date(AT.getTime() + 60_000))).toBe(false);
      expect([await commands(), await decisions()].map(({ length }) => length)).toEqual([1, 1]);
    });

    it('keeps answers apart by their request ids, and knows those that it took', async () => {
      const { acts, commands } = await create();
      expect(await acts.isKnown('answer:a1:1:acknowledge')).toBe(false);
      await acts.take(act(), AT);
      expect(await acts.isKnown('answer:a1:1:acknowledge')).toBe(true);
      expect(await acts.isKnown('reply:x')).toBe(false);
      expect(await acts.take(act({ requestId: 'reply:x', action: 'close' }), AT)).toBe(true);
      expect(await commands()).toMatchObject([{ kind: 'acknowledge' }, { kind: 'close' }]);
    });
  });
}
