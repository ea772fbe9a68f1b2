import { describe, expect, it } from '@jest/globals';
import { emptyRule } from '../domain/notification-rule.ts';
import type { PendingCopies, PendingCopy } from '../ports/pending-copies.ts';

/** Goes on with a copy; answers what is left. */
type Resume = (copy: PendingCopy) => Promise<PendingCopy | undefined>;

/** The adapter, and the means to let what it keeps go on until nothing is left. */
export interface PendingCopiesUnderTest {
  readonly copies: PendingCopies;
  readonly finish: (resume: Resume) => Promise<unknown>;
}

const pending = (id: string, rest: Partial<PendingCopy> = {}): PendingCopy => ({
  id,
  sourceId: 'ada',
  rules: [emptyRule({ id: 'r', name: 'Nights', actionType: 'create-alert', enabled: true })],
  actionTypes: ['create-alert', 'add-note'],
  among: undefined,
  after: undefined,
  ...rest,
});

/** What every adapter of `PendingCopies` does. */
export function describePendingCopies(name: string, create: () => Promise<PendingCopiesUnderTest>): void {
  describe(`${name} as pending copies`, () => {
    it('hands over what it keeps as it was kept', async () => {
      const { copies, finish } = await create();
      const kept = [pending('everybody'), pending('some', { among: ['bob', 'cyd'], after: 'bob' })];
      for (const copy of kept) await copies.keep(copy);
      const seen: PendingCopy[] = [];
      await finish((copy) => {
        seen.push(copy);
        return Promise.resolve(undefined);
      });
      expect(seen.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(kept);
    });

    it('hands over what is left until nothing is', async () => {
      const { copies, finish } = await create();
      await copies.keep(pending('everybody'));
      const seen: (string | undefined)[] = [];
      await finish((copy) => {
        seen.push(copy.after);
        return Promise.resolve(
          copy.after === 'b' ? undefined : { ...copy, after: copy.after === undefined ? 'a' : 'b' },
        );
      });
      expect(seen).toEqual([undefined, 'a', 'b']);
    });
  });
}
