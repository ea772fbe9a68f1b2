import type { DecisionVerdict, Page, UserState } from '@tocsin/contracts';

/**
 * Until when the mute of a user holds a message back; undefined where it does not. `page` is what the message is about, undefined
 * of a notice of a shift. P1 goes through any mute.
 */
export function mutedUntil(
  page: Pick<Page, 'alert'> | undefined,
  { mutedUntil: until }: Pick<UserState, 'mutedUntil'>,
  at: Date,
): string | undefined {
  const isMuted = until !== undefined && page?.alert.priority !== 'P1' && at.getTime() < Date.parse(until);
  return isMuted ? until : undefined;
}

/** Says that the user is muted when the steps begin. Each step is judged when it is due: by then the mute may be over. */
export function mutedNow(
  page: Pick<Page, 'alert'> | undefined,
  user: UserState,
  at: Date,
  facts: Readonly<Record<string, string>>,
): readonly DecisionVerdict[] {
  const until = mutedUntil(page, user, at);
  if (until === undefined) return [];
  const text = `${user.username} is muted until ${until}: what is due before then is not sent, but for P1.`;
  return [{ subject: 'user', outcome: 'muted', text, facts: { ...facts, userId: user.id, until } }];
}
