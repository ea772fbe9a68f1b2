import { CallError } from '../api/call-error.ts';
import { fieldText } from '../api/problem-text.ts';
import type { Schedule } from './queries.ts';
import { isZone } from './zone.ts';

/** What a schedule is beside its rotations, as its form has it. */
export interface DetailsForm {
  readonly name: string;
  readonly zone: string;
  readonly description: string;
  /** The id of the team that owns it; empty where none does. */
  readonly teamId: string;
  readonly isEnabled: boolean;
}

export const detailsOf = ({ description, enabled, name, ownerTeam, timezone }: Schedule): DetailsForm => ({
  name,
  zone: timezone,
  description,
  teamId: ownerTeam?.id ?? '',
  isEnabled: enabled,
});

export type DetailsFaults = Partial<Record<keyof DetailsForm, string>>;

export function detailsFaults({ name, zone }: DetailsForm): DetailsFaults {
  return {
    ...(name.trim() === '' && { name: 'Type a name.' }),
    ...(!isZone(zone.trim()) && { zone: 'Type a time zone such as Europe/Berlin.' }),
  };
}

/** The names that the API has for the fields, with what they mean. */
const bodyOf = ({ description, isEnabled, name, teamId, zone }: DetailsForm): Readonly<Record<string, unknown>> => ({
  name: name.trim(),
  timezone: zone.trim(),
  description: description.trim(),
  ...(teamId !== '' && { ownerTeam: { id: teamId } }),
  enabled: isEnabled,
});

/** What a form means as the API takes it: all of it, or what differs from what its person saw. */
export function detailsBody(form: DetailsForm, seen?: DetailsForm): object {
  const before = seen === undefined ? {} : bodyOf(seen);
  const isSame = (name: string, value: unknown) => JSON.stringify(before[name]) === JSON.stringify(value);
  return Object.fromEntries(Object.entries(bodyOf(form)).filter(([name, value]) => !isSame(name, value)));
}

const FIELDS: Readonly<Record<string, readonly [field: keyof DetailsForm, label: string]>> = {
  name: ['name', 'The name'],
  timezone: ['zone', 'The time zone'],
  description: ['description', 'The description'],
  ownerTeam: ['teamId', 'The team'],
};

/** What the server refuses, at the field that it is about; none where it is about none of them. */
export function refusedDetails(error: unknown): DetailsFaults {
  if (!(error instanceof CallError)) return {};
  const message = `${error.message.replace(/\.$/, '')}.`;
  if (error.status === 409) return { name: message };
  if (error.status === 404 && error.message.startsWith('Team ')) return { teamId: message };
  return Object.fromEntries(
    Object.entries(error.fields).flatMap(([name, fault]) => {
      const known = FIELDS[name.split(/[.[]/, 1)[0] ?? ''];
      return known === undefined ? [] : [[known[0], fieldText(known[1], fault)] as const];
    }),
  );
}
