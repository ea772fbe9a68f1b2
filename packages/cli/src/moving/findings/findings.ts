import { type Json, objectIn, objectsIn, textIn } from '../json.ts';
import { KINDS, type KindName } from '../kinds.ts';
import type { Snapshot } from '../snapshot/reader.ts';
import type { SnapshotRecord } from '../snapshot/part-file.ts';
import { type Finding, FINDING_KINDS, type NotKnown } from './finding.ts';
import { routingFindings } from './routing.ts';
import { scheduleReport } from './schedules.ts';
import { type Existing, Reachability } from './reachability.ts';
import { userFinding } from './users.ts';

/** What `findings` says about an account. */
export interface Findings {
  readonly account: string;
  readonly readAt: string;
  readonly counts: readonly { readonly kind: KindName; readonly count?: number; readonly why?: string }[];
  readonly errorCount: number;
  /** Errors first, then by kind and name. */
  readonly findings: readonly Finding[];
  readonly notKnown: readonly NotKnown[];
}

/** What is certain about a snapshot. Users, teams and schedules are read one by one. @throws CliError where a file is damaged. */
export function findingsOf(snapshot: Snapshot): Findings {
  const found: Finding[] = [];
  const notKnown: NotKnown[] = [...unreadable(snapshot), USE];
  const existing: Existing = { users: new Map(), teams: new Map(), schedules: new Map(), escalations: new Map() };
  for (const user of snapshot.things('users')) {
    existing.users.set(user.id, user.value['blocked'] === true);
    found.push(...listOf(userFinding(user)));
  }
  for (const { id, value } of snapshot.things('teams'))
    existing.teams.set(id, objectsIn(value, 'members').map(memberOf));
  const from = Date.parse(snapshot.manifest.startedAt);
  for (const schedule of snapshot.things('schedules')) {
    const report = scheduleReport(schedule, from);
    existing.schedules.set(schedule.id, report.hasRecipient);
    found.push(...listOf(report.finding));
    notKnown.push(...listOf(report.notKnown));
  }
  for (const { id, value } of snapshot.things('escalations')) existing.escalations.set(id, rulesOf(value));
  const reachability = new Reachability(existing);
  for (const team of snapshot.things('teams')) found.push(...routingFindings(team, reachability));
  for (const [kind, check] of CHECKS) for (const thing of snapshot.things(kind)) found.push(...listOf(check(thing)));
  return {
    account: accountName(snapshot),
    readAt: snapshot.manifest.startedAt,
    counts: countsOf(snapshot),
    errorCount: found.filter(({ severity }) => severity === 'error').length,
    findings: found.sort(inOrder),
    notKnown,
  };
}

const USE: NotKnown = {
  what: 'Which integrations and keys are unused',
  why: 'the API does not show when they were last used',
};

const listOf = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value]);
const memberOf = (member: Json): { readonly id: string; readonly isAdmin: boolean } => ({
  id: textIn(objectIn(member, 'user'), 'id') ?? '',
  isAdmin: textIn(member, 'role') === 'admin',
});
const rulesOf = (escalation: Json) =>
  objectsIn(escalation, 'rules').map((rule) => ({
    notifyType: textIn(rule, 'notifyType') ?? 'default',
    type: textIn(objectIn(rule, 'recipient'), 'type') ?? 'none',
    id: textIn(objectIn(rule, 'recipient'), 'id') ?? '',
  }));

type Check = (thing: SnapshotRecord) => Finding | undefined;

/** A thing that is switched off. */
const disabledCheck =
  (kind: Finding['kind'], entity: KindName, what: string, effect: string): Check =>
  ({ id, value }) => {
    if (value['enabled'] !== false) return undefined;
    const name = textIn(value, 'name') ?? id;
    return {
      ...{ kind, severity: 'warning', entity: { kind: entity, id, name } },
      message: `${what} [${name}] is disabled: ${effect}.`,
      remedy: 'Delete it, so that it is not moved, or enable it.',
    };
  };

/** A policy that is off, or that takes the notifications of every alert at all times. */
const policyCheck =
  (kind: 'policies' | 'policies-v1'): Check =>
  (policy) => {
    const { id, value } = policy;
    if (!suppressesAll(value))
      return disabledCheck('policy-disabled', kind, 'Policy', 'it takes effect on no alert')(policy);
    const name = textIn(value, 'name') ?? id;
    return {
      ...{ kind: 'policy-suppresses-all', severity: 'error', entity: { kind, id, name } },
      message: `Policy [${name}] matches every alert at all times and suppresses its notifications: an alert that no notification policy before it takes pages no user.`,
      remedy: 'Give the policy conditions or a time restriction, or disable it.',
    };
  };

function suppressesAll(policy: Json): boolean {
  const type = textIn(objectIn(policy, 'filter'), 'type') ?? 'match-all';
  const isRestricted = ['timeRestriction', 'timeRestrictions'].some((name) => objectIn(policy, name) !== undefined);
  const suppresses = policy['suppress'] === true || textIn(policy, 'type') === 'notification-suppress';
  return policy['enabled'] !== false && suppresses && type === 'match-all' && !isRestricted;
}

const CHECKS: readonly (readonly [KindName, Check])[] = [
  ['policies', policyCheck('policies')],
  ['policies-v1', policyCheck('policies-v1')],
  [
    'integrations',
    disabledCheck('integration-disabled', 'integrations', 'Integration', 'requests with its key are refused'),
  ],
  ['heartbeats', disabledCheck('heartbeat-disabled', 'heartbeats', 'Heartbeat', 'no alert comes when its pings stop')],
];

function unreadable({ manifest }: Snapshot): readonly NotKnown[] {
  return KINDS.flatMap((kind) => {
    const entry = manifest.kinds[kind];
    if (entry === undefined || !('count' in entry) || entry.unreadable.length === 0) return [];
    const why = 'they were listed and could not be read';
    return [{ what: `${kind} ${entry.unreadable.join(', ')}`, why }];
  });
}

const countsOf = ({ manifest }: Snapshot): Findings['counts'] =>
  KINDS.map((kind) => {
    const entry = manifest.kinds[kind];
    if (entry === undefined) return { kind };
    return 'count' in entry ? { kind, count: entry.count } : { kind, why: entry.unavailable };
  });

function accountName(snapshot: Snapshot): string {
  for (const { value } of snapshot.things('account')) return textIn(value, 'name') ?? '';
  return '';
}

function inOrder(a: Finding, b: Finding): number {
  if (a.severity !== b.severity) return a.severity === 'error' ? -1 : 1;
  const kinds = FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind);
  return kinds || (a.entity.name < b.entity.name ? -1 : 1);
}
