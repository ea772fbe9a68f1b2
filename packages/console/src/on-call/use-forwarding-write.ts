import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { type ForwardingBody, type ForwardingResult, forwardUnlessChanged } from './hand-over.ts';
import { type ForwardingRule, rulesPath } from './queries.ts';

/** A new rule, and those that its person saw. */
export interface ForwardingWrite {
  readonly body: ForwardingBody;
  readonly seen: readonly ForwardingRule[];
}

/** The reads whose answers a rule changes. */
const CHANGED = [['forwarding-rules'], ['shifts'], ['on-calls'], ['timeline'], ['schedule']];

/** Reads again what a rule changes. */
export function useRulesChanged(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all(CHANGED.map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** Creates a forwarding rule, unless there are rules that its person has not seen. */
export function useForwardingWrite(
  username: string,
  onDone: () => void,
): UseMutationResult<ForwardingResult, Error, ForwardingWrite> {
  const readAgain = useRulesChanged();
  return useMutation({
    mutationFn: ({ body, seen }: ForwardingWrite) =>
      forwardUnlessChanged(body, seen, {
        // Not by the query of the page: this can give the answer to a read that began before another person's write.
        read: async () => (await call<Answer<'list-user-forwarding-rules'>>({ path: rulesPath(username) })).data,
        send: async () => {
          await call<Answer<'create-forwarding-rule'>>({ method: 'POST', path: '/v2/forwarding-rules', body });
        },
      }),
    onSuccess: async ({ added }) => {
      if (added.length === 0) onDone();
      await readAgain();
    },
  });
}
