import type { Answer } from '../api/answer.ts';

/** What a person says about themselves. */
export interface Profile {
  readonly fullName: string;
  readonly timeZone: string;
}

const NAMES = { fullName: 'name', timeZone: 'time zone' } as const;
const FIELDS = ['fullName', 'timeZone'] as const;

export const profileOf = ({ fullName, timeZone }: Answer<'get-user'>['data']): Profile => ({ fullName, timeZone });

/** The fields that a person changed. */
export function changedProfile(seen: Profile, typed: Profile): Partial<Profile> {
  const changed = FIELDS.map((field) => [field, typed[field].trim()] as const).filter(
    ([field, text]) => text !== seen[field],
  );
  return Object.fromEntries(changed);
}

/** What another person changed of that which a write would overwrite, a sentence each. */
export const profileChanges = (change: Partial<Profile>, seen: Profile, now: Profile): readonly string[] =>
  FIELDS.filter(
    (field) => change[field] !== undefined && change[field] !== now[field] && now[field] !== seen[field],
  ).map((field) => `Another person changed the ${NAMES[field]} to “${now[field]}”.`);

/** Why what was typed cannot be saved; undefined where it can. The server says what is wrong with a text. */
export function profileRefused(seen: Profile, typed: Profile): string | undefined {
  const blank = FIELDS.find((field) => typed[field].trim() === '');
  if (blank !== undefined) return `Type a ${NAMES[blank]} first.`;
  return Object.keys(changedProfile(seen, typed)).length === 0 ? 'Nothing was changed.' : undefined;
}
