import { useMutation } from '@tanstack/react-query';

/** What another person changed before a write, which was not sent then; nothing where it was sent. */
export interface GuardedResult<T> {
  readonly changes: readonly string[];
  /** What was read before the write. */
  readonly seen: T;
}

interface GuardedCalls<T> {
  /** Reads what is written; the read begins when it is called. */
  readonly read: () => Promise<T>;
  /** What another person changed between the two, a sentence each. */
  readonly changesBetween: (before: T, now: T) => readonly string[];
}

/**
 * Writes, unless another person changed it since `seen`. The API takes a write whatever the version, so a change between the read and the
 * write is overwritten; the read comes right before the write, to keep that time short.
 */
export async function sendUnlessChanged<T>(
  seen: T,
  { changesBetween, read }: GuardedCalls<T>,
  send: (now: T) => Promise<unknown>,
): Promise<GuardedResult<T>> {
  const now = await read();
  const changes = changesBetween(seen, now);
  if (changes.length === 0) await send(now);
  return { changes, seen: now };
}

export interface GuardedWrite<T> {
  /** What another person changed: nothing was written, and the person decides. */
  readonly changes: readonly string[];
  readonly error: unknown;
  readonly isPending: boolean;
  /** Sends what the form has, and leaves the rest as `now` has it: that was read right before. */
  readonly save: (send: (now: T) => Promise<unknown>) => void;
  /** Forgets what was refused, because something else is typed now. */
  readonly forgetError: () => void;
}

/** Writes that a person repeats knowingly where another person changed the same since they saw it. */
export function useGuardedWrite<T>(
  seen: T,
  { onDone, ...calls }: GuardedCalls<T> & { readonly onDone: () => Promise<unknown> },
): GuardedWrite<T> {
  const write = useMutation({
    mutationFn: ({ before, send }: { readonly before: T; readonly send: (now: T) => Promise<unknown> }) =>
      sendUnlessChanged(before, calls, send),
    onSuccess: async ({ changes }) => {
      if (changes.length === 0) await onDone();
    },
  });
  const changes = write.data?.changes ?? [];
  return {
    changes,
    error: write.error,
    isPending: write.isPending,
    forgetError: () => {
      if (write.error !== null) write.reset();
    },
    save: (send) => {
      if (!write.isPending) write.mutate({ before: changes.length > 0 ? (write.data?.seen ?? seen) : seen, send });
    },
  };
}
