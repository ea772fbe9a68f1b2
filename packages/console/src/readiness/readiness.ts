import type { Answer } from '../api/answer.ts';
import { paths } from '../shell/paths.ts';

export type Readiness = Answer<'list-readiness'>;
export type Finding = Readiness['data'][number];
export type Kind = Finding['kind'];

/** What each kind of finding is, in the order in which a page lists them. */
export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  'user-without-contact': 'User without a contact',
  'user-without-rule': 'User without a rule for P1',
  'schedule-gap': 'Time without a user on call',
  'routing-without-recipient': 'Routing without a recipient',
  'rule-never-matches': 'Rule that never matches',
  'integration-refused': 'Integration whose alerts are refused',
  'post-refused': 'Integration whose posts are refused',
  'bot-unread': 'Bot that cannot be read',
  'socket-closed': 'Connection that cannot be opened',
  'policy-suppresses-all': 'Policy that suppresses every page',
  'policy-never-matches': 'Policy that never matches',
  'integration-unused': 'Integration that is not used',
  'escalation-of-one': 'Escalation of one user',
  'rotation-of-one': 'Rotation of one user',
  'clock-change': 'Clock change',
};
export const KINDS = Object.keys(KIND_NAMES) as readonly Kind[];

export const SEVERITY_NAMES: Readonly<Record<Finding['severity'], string>> = {
  error: 'Error',
  warning: 'Warning',
  information: 'Information',
};

/** The page on which a finding is mended; undefined where the console has none for it yet. */
export function pageOf({ entity: { id, name, type } }: Pick<Finding, 'entity'>, username: string): string | undefined {
  if (type === 'schedule') return paths.schedule(id);
  if (type === 'team') return paths.team(id);
  if (type === 'escalation') return paths.escalation(id);
  if (type === 'integration') return paths.integration(id);
  if (type === 'policy') return paths.policy(id);
  return name === username ? paths.me() : undefined;
}

/** The names of teams that findings concern; an id where the team is gone. */
export const teamsText = ({ teams }: Pick<Finding, 'teams'>): string =>
  teams.length === 0 ? 'No team' : teams.map(({ id, name }) => name ?? id).join(', ');

/** How many findings there are, in a sentence. */
export function countText({ data, errorCount, totalCount }: Readiness): string {
  if (totalCount === 0) return 'No findings.';
  const errors =
    errorCount === 0
      ? 'None is an error.'
      : `${errorCount} of them ${errorCount === 1 ? 'is an error' : 'are errors'}.`;
  const all = totalCount === 1 ? '1 finding.' : `${totalCount} findings.`;
  const listed =
    data.length < totalCount ? ` The first ${data.length} are listed: choose a team or a kind to see others.` : '';
  return `${all} ${errors}${listed}`;
}
