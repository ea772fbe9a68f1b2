import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ATTACHMENT_LIMITS, OPERATIONS } from '@tocsin/api';
import { ALERT_LIMITS, type Decision, type DecisionFinding } from '@tocsin/events';
import { accountKey, MAX_TURN_MS, measuredAnswer } from '@tocsin/testkit';
import { decisionEntries } from './alert-log/consumer.ts';
import { ATTACHMENTS } from './database.ts';
import { addNote, byId, create } from './testing/commands-samples.ts';
import { setUp, team, type Component } from './testing/component-fixture.ts';
import { aMaintenance, policyRule } from './testing/maintenance-samples.ts';
import { modifying, policyOf } from './testing/policy-samples.ts';

const many = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));

/** Of characters that take three bytes each. */
const wide = (length: number): string => '√'.repeat(length);

const AT = '2026-01-05T08:00:00.500Z';
const ADA = { userId: 'ada', username: 'ada@example.com' };

const teams = many(50, (index) => team(`team-${index}`, wide(100)));
const asResponders = teams.map(({ id }) => ({ type: 'team', id }) as const);

const largeAlert = (index: number) =>
  create(`alias-${index}`.padEnd(ALERT_LIMITS.alias, 'a'), {
    alert: {
      message: wide(ALERT_LIMITS.message),
      description: wide(ALERT_LIMITS.description),
      entity: wide(ALERT_LIMITS.entity),
      responders: asResponders,
      visibleTo: asResponders,
      actions: many(ALERT_LIMITS.actions, () => wide(ALERT_LIMITS.actionLength)),
      tags: many(ALERT_LIMITS.tags, (each) => wide(ALERT_LIMITS.tagLength - 2) + String(each)),
      details: Object.fromEntries(many(1_000, (each) => [`k${each}`, 'abc'])),
    },
  });

const policies = many(1_000, (index) =>
  policyOf(`policy-${index}`, {
    description: wide(1_000),
    effects: modifying({
      details: many(index === 0 ? 1_000 : 1, (each) => [`key-${each}`, wide(100)] as const),
      tags: many(20, () => wide(50)),
      description: wide(ALERT_LIMITS.description / (index === 0 ? 1 : 20)),
      recipients: asResponders,
    }),
  }),
);

const maintenances = many(5_000, (index) =>
  aMaintenance({
    id: `maintenance-${index}`,
    description: wide(200),
    rules: many(index === 0 ? 1_000 : 9, (each) => policyRule(`policy-${each}`, 'enabled')),
  }),
);

const page = (user: typeof ADA, facts: object = {}): DecisionFinding => ({
  subject: 'page',
  outcome: 'paged',
  text: `Paged ${user.username}.`,
  facts: { ...user, ...facts },
});

/** Logs that take long to explain, each of over 2000 entries or 2 MB. */
const logs: Readonly<Record<string, readonly (readonly [Decision['stage'], DecisionFinding])[]>> = {
  ofManyUsers: many(1_050, (index) => ({ userId: `user-${index}`, username: `user-${index}@example.com` })).flatMap(
    (user) => {
      const facts = { ...user, deliveryId: user.userId };
      return [
        ['route', page(user)],
        ['deliver', { subject: 'delivery', outcome: 'sent', text: 'Sent.', facts }],
      ] as const;
    },
  ),
  ofManyBranches: many(1_050, (index) => `team:team-1/${index}`).flatMap((branch) => [
    ['route', page(ADA, { branch: `${branch}/0` })],
    ['route', { subject: 'rule', outcome: 'skipped', text: 'Skipped.', facts: { branch } }],
  ]),
  ofLongTexts: many(400, (index) => {
    const layers = many(100, (each) => ({ participant: { type: 'user', id: each === 7 ? 'ada' : `user-${each}` } }));
    return ['route', { subject: 'on-call', outcome: `${index}`, text: wide(4_000), facts: { layers } }];
  }),
};

const recipients = many(10_000, (index) => ({
  userId: `user-${index}`,
  username: `user-${index}@example.com`,
  state: 'notactive' as const,
  method: 'email',
  createdAt: new Date(AT),
  updatedAt: new Date(AT),
}));

const searches = many(5_000, (index) => ({
  id: `search-${index}`,
  name: `${index} ${wide(90)}`,
  query: 'a'.repeat(1_000),
  description: wide(1_000),
  ownerId: 'ada',
  teamIds: many(20, (each) => `team-${each}`),
  createdAt: new Date(AT),
  updatedAt: new Date(AT),
}));

let component: Component;
/** The alert with notes and files, and those of {@link logs}. */
let alertId = '';
let explained: readonly string[] = [];
let requestId = '';
let fileId = 0;
let download = '';

async function fill(): Promise<void> {
  component = await setUp();
  const { configuration, replicas, savedSearches, apply, store } = component;
  for (const each of teams) replicas.team.put(each.id, each);
  replicas.user.put('ada', { id: 'ada', username: ADA.username } as never);
  const creates = many(101, largeAlert);
  await apply(...creates);
  const [noted, ...others] = creates;
  ({ requestId } = noted ?? { requestId });
  alertId = noted?.alert.alertId ?? '';
  await apply(...many(101, () => addNote(byId(alertId), wide(ALERT_LIMITS.note))));
  explained = Object.values(logs).map((_, index) => others[index]?.alert.alertId ?? '');
  for (const [index, log] of Object.values(logs).entries())
    await store.decisionLog.append(
      log.flatMap(([stage, finding], each) =>
        decisionEntries({ decisionId: `${each}`, alertId: explained[index], stage, at: AT, findings: [finding] }).map(
          (entry) => ({ ...entry, entryId: `${index}/${each}`, writtenBy: `${index}/${each}` }),
        ),
      ),
    );
  for (const search of searches) await savedSearches.insert(search);
  await configuration.change(() => ({
    policies: { put: policies },
    maintenances: { put: maintenances },
    answer: undefined,
  }));
  for (let files = 0; files < ATTACHMENT_LIMITS.files; files += 1) {
    const file = { name: wide(ATTACHMENT_LIMITS.name), type: 'text/plain', bytes: Buffer.from('a') };
    fileId = await store.attachments.keep(
      { ...file, bytes: [file.bytes], integrationId: undefined } as never,
      new Date(AT),
    );
  }
  await component.connection
    .collection(ATTACHMENTS)
    .updateMany({}, { $set: { state: 'attached', alertId, goesAt: null } });
  answerWithLargeFiles(component);
  const answer = await component.get(`/v2/alerts/${alertId}/attachments/${fileId}`);
  download = new URL((answer.body as { data: { url: string } }).data.url).pathname;
}

/** As the database keeps files. */
const CHUNK = Buffer.alloc(1_048_576);

/** Each chunk of a file comes in a turn of its own, and recipients are grouped elsewhere. */
function answerWithLargeFiles({ store }: Component): void {
  store.alerts.recipients = () => Promise.resolve(recipients);
  const find = store.attachments.find.bind(store.attachments);
  store.attachments.find = async (id) => {
    const file = await find(id);
    return file && { ...file, length: ATTACHMENT_LIMITS.bytes };
  };
  store.attachments.read = async function* () {
    for (let sent = 0; sent < ATTACHMENT_LIMITS.bytes; sent += CHUNK.length) {
      await setImmediate();
      yield CHUNK;
    }
  };
}

/** The largest that each read allows, one or several. */
const READS: Readonly<Record<string, () => readonly string[]>> = {
  'list-alerts': () => ['/v2/alerts?limit=100'],
  'count-alerts': () => ['/v2/alerts/count'],
  'get-alert': () => [`/v2/alerts/${alertId}`],
  'get-request-status': () => [`/v2/alerts/requests/${requestId}`],
  'list-notes': () => [`/v2/alerts/${alertId}/notes?limit=100`],
  'list-alert-logs': () => [alertId, ...explained].map((id) => `/v2/alerts/${id}/logs?limit=100`),
  'list-alert-recipients': () => [`/v2/alerts/${alertId}/recipients`],
  'explain-alert': () =>
    explained.flatMap((id) => [`/v2/alerts/${id}/explanation`, `/v2/alerts/${id}/explanation?user=ada`]),
  'get-next-page': () => [`/v2/alerts/${alertId}/next-page`],
  'list-attachments': () => [`/v2/alerts/${alertId}/attachments`],
  'get-attachment': () => [`/v2/alerts/${alertId}/attachments/${fileId}`],
  'download-attachment': () => [download],
  'list-saved-searches': () => ['/v2/alerts/saved-searches'],
  'get-saved-search': () => ['/v2/alerts/saved-searches/search-1'],
  'list-user-saved-searches': () => ['/v2/users/saved-searches'],
  'get-user-saved-search': () => ['/v2/users/saved-searches/search-1'],
  'list-maintenances': () => ['/v1/maintenance'],
  'get-maintenance': () => ['/v1/maintenance/maintenance-0'],
  'list-policies': () => ['/v1/policies'],
  'get-policy': () => ['/v1/policies/policy-0'],
  'list-alert-policies-v2': () => ['/v2/policies/alert'],
  'list-notification-policies-v2': () => ['/v2/policies/notification'],
  'get-policy-v2': () => ['/v2/policies/policy-0'],
};

const reads = OPERATIONS.filter(({ method, owner }) => method === 'GET' && owner === 'alert-processor');

describe('every read of alert-processor', () => {
  beforeAll(fill);

  it('is in this test', () => {
    expect(reads.map(({ id }) => id).sort()).toEqual(Object.keys(READS).sort());
  });

  it.each(Object.keys(READS))('blocks the event loop for at most 20 ms of processor time: %s', async (id) => {
    for (const path of READS[id]?.() ?? []) {
      const { status, longestTurnMs } = await measuredAnswer({
        app: component.app,
        path,
        headers: await component.vouched(),
      });
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(longestTurnMs).toBeLessThanOrEqual(MAX_TURN_MS);
    }
  });

  it.each(['list-alerts', 'list-alert-logs', 'explain-alert'])(
    'does so for the key of a team, of whose reads more is left out: %s',
    async (id) => {
      const headers = await component.vouched({ ...accountKey, teamId: 'team-1' });
      for (const path of READS[id]?.() ?? []) {
        const { status, longestTurnMs } = await measuredAnswer({ app: component.app, path, headers });
        expect({ path, status }).toEqual({ path, status: 200 });
        expect(longestTurnMs).toBeLessThanOrEqual(MAX_TURN_MS);
      }
    },
  );
});
