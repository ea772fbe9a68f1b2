import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OPSGENIE_KEYS, type OpsgenieDouble, type OpsgenieObject, startOpsgenie } from '@tocsin/testkit';
import { impatient } from '../../testing/account-fixture.ts';
import type { Json } from '../json.ts';
import { OpsgenieClient } from '../opsgenie-client.ts';
import { type Alerts, type Looked, Mirror } from './mirror.ts';
import type { AlertWrite } from './writes.ts';

const START = Date.parse('2026-03-02T08:00:00Z');
const MINUTE = 60_000;

let old: OpsgenieDouble;
let nowMs: number;
let ours: MemoryAlerts;
let place: Place;
let isShadow: boolean;
/** The ids in Tocsin of things that have others there. */
const adopted: Readonly<Record<string, string>> = { 'old-ada': 'ada', 'old-team': 'team' };

beforeEach(async () => {
  old = await startOpsgenie();
  nowMs = START;
  ours = new MemoryAlerts();
  place = new Place();
  isShadow = true;
});
afterEach(() => old.stop());

class Place {
  readonly startedAt: Date;
  constructor(startedMs = START) {
    this.startedAt = new Date(startedMs);
  }
  mirroredUntilMs: number | undefined;
  refused: readonly string[] = [];
  save(untilMs: number, refused: readonly string[]): void {
    [this.mirroredUntilMs, this.refused] = [untilMs, refused];
  }
}

/** Alerts as Tocsin keeps them. */
class MemoryAlerts implements Alerts {
  readonly all = new Map<string, Json>();
  readonly writes: string[] = [];
  /** Called before each write: throws where the process dies there. */
  before: (write: AlertWrite) => void = () => undefined;
  refusal: (write: AlertWrite) => string | undefined = () => undefined;

  find(alias: string): Promise<Json | undefined> {
    return Promise.resolve(this.all.get(alias));
  }

  write(write: AlertWrite): Promise<string | undefined> {
    this.before(write);
    const why = this.refusal(write);
    if (why !== undefined) return Promise.resolve(why);
    this.#apply(write);
    return Promise.resolve(undefined);
  }

  #apply({ body, path }: AlertWrite): void {
    const [, alias = '', action = 'create'] =
      /^\/v2\/alerts(?:\/([^/]+)\/(\w+)\?identifierType=alias)?$/.exec(path) ?? [];
    this.writes.push(action === 'create' ? `create ${String(body['message'])}` : `${action} ${String(body['user'])}`);
    if (action === 'create') {
      if (this.all.has(String(body['alias']))) throw new Error('It would be a second alert.');
      this.all.set(String(body['alias']), { ...body, status: 'open', acknowledged: false, snoozed: false });
      return;
    }
    const found = this.all.get(alias);
    if (found === undefined || found['status'] === 'closed') throw new Error(`${action} of no open alert`);
    this.all.set(alias, { ...found, ...CHANGES[action]?.(body) });
  }
}

const CHANGES: Readonly<Record<string, (body: Json) => Json>> = {
  acknowledge: () => ({ acknowledged: true }),
  unacknowledge: () => ({ acknowledged: false }),
  close: () => ({ status: 'closed' }),
  snooze: ({ endTime }) => ({ snoozed: true, snoozedUntil: endTime }),
  priority: ({ priority }) => ({ priority }),
};

const idOf = (number: number): string => `70000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Changes an alert of the account, or makes it. */
function theirs(number: number, over: OpsgenieObject = {}): void {
  const at = new Date((nowMs += 1_000)).toISOString();
  const index = old.account.alerts.findIndex(({ id }) => id === idOf(number));
  const present = old.account.alerts[index] ?? {
    ...{ id: idOf(number), message: `m${number}`, createdAt: at, status: 'open', acknowledged: false, snoozed: false },
    ...{ priority: 'P3', tags: ['db'], source: 'nagios', ownerTeamId: 'the-team', responders: [] },
  };
  old.account.alerts.splice(index < 0 ? old.account.alerts.length : index, 1, { ...present, updatedAt: at, ...over });
}

/** A look of a process that knows nothing but the place. */
const look = (mirror = fresh()): Promise<Looked> => mirror.look();
const fresh = (): Mirror =>
  new Mirror({
    opsgenie: new OpsgenieClient({ url: old.url, key: OPSGENIE_KEYS.account }, impatient()),
    alerts: ours,
    place,
    idOf: (id) => adopted[id] ?? id,
    now: () => new Date(nowMs),
    requireShadow: () => (isShadow ? Promise.resolve() : Promise.reject(new Error('Shadow is off'))),
  });

const closed = (by = 'ada'): OpsgenieObject => ({ status: 'closed', report: { closedBy: by, closeTime: 1 } });
const acknowledged = (by = 'ada'): OpsgenieObject => ({ acknowledged: true, report: { acknowledgedBy: by } });

describe('a mirror', () => {
  it('makes the alerts that are open at its first look, as they are, and no closed one', async () => {
    theirs(1);
    theirs(2, acknowledged());
    theirs(3, closed());
    expect(await look()).toEqual({ mirrored: 2, refused: [], isWhole: true });
    expect(ours.writes.toSorted()).toEqual(['acknowledge ada', 'create m1', 'create m2']);
    expect(ours.all.get(idOf(1))).toMatchObject({
      ...{ message: 'm1', priority: 'P3', tags: ['db'], source: 'nagios', description: 'a text' },
      responders: [{ type: 'team', id: 'the-team' }],
    });
  });

  it('names users and teams by their ids in Tocsin', async () => {
    const responders = ['user', 'team', 'schedule'].map((type) => ({
      type,
      id: `old-${type === 'user' ? 'ada' : type}`,
    }));
    theirs(1, { responders });
    theirs(2, { ownerTeamId: 'old-team' });
    await look();
    expect(ours.all.get(idOf(1))).toMatchObject({
      responders: [
        { type: 'user', id: 'ada' },
        { type: 'team', id: 'team' },
        { type: 'schedule', id: 'old-schedule' },
      ],
    });
    expect(ours.all.get(idOf(2))).toMatchObject({ responders: [{ type: 'team', id: 'team' }] });
  });

  it('follows each change by its user, and what was created and closed between two looks', async () => {
    const mirror = fresh();
    await look(mirror);
    theirs(1, { responders: [{ type: 'user', id: 'u', name: 'x' }] });
    theirs(2, { ...acknowledged('grace'), ...closed('linus'), report: { acknowledgedBy: 'grace', closedBy: 'linus' } });
    await look(mirror);
    expect(ours.all.get(idOf(1))).toMatchObject({ responders: [{ type: 'user', id: 'u' }] });
    theirs(1, acknowledged('grace'));
    await look(mirror);
    theirs(1, { acknowledged: false, priority: 'P1' });
    await look(mirror);
    theirs(1, { snoozed: true, snoozedUntil: new Date(nowMs + 10 * MINUTE).toISOString() });
    await look(mirror);
    theirs(1, closed('linus'));
    await look(mirror);
    expect(ours.writes).toEqual([
      ...['create m1', 'create m2', 'acknowledge grace', 'close linus'],
      ...['acknowledge grace', 'priority undefined', 'unacknowledge undefined', 'snooze undefined', 'close linus'],
    ]);
  });

  it('that dies before any write does all of it in the next process, and nothing twice', async () => {
    await look();
    for (let at = 1; at < 40; at += 1) {
      theirs(at * 2, { ...acknowledged(), priority: 'P1' });
      theirs(at * 2 + 1, closed());
      let left = at % 7;
      ours.before = () => {
        if ((left -= 1) < 0) throw new Error('killed');
      };
      await look().catch(() => undefined);
      ours.before = () => undefined;
      await look();
      expect([idOf(at * 2), idOf(at * 2 + 1)].map((id) => ours.all.get(id))).toMatchObject([
        { acknowledged: true, priority: 'P1', status: 'open' },
        { status: 'closed' },
      ]);
    }
    const before = ours.writes.length;
    await look();
    expect(ours.writes).toHaveLength(before);
  });

  it('follows what was closed after a process died in its first look', async () => {
    theirs(1);
    theirs(2);
    place = new Place(nowMs);
    ours.before = ({ body }) => {
      if (body['message'] === 'm2') throw new Error('killed');
    };
    await expect(look()).rejects.toThrow('killed');
    ours.before = () => undefined;
    theirs(1, closed());
    nowMs += 10 * MINUTE;
    theirs(2, { priority: 'P1' });
    await look();
    await look();
    expect(ours.all.get(idOf(1))).toMatchObject({ status: 'closed' });
  });

  it('sees a change that the list shows up to two minutes late', async () => {
    await look();
    theirs(1);
    const late = nowMs;
    nowMs += MINUTE;
    theirs(2);
    const [first] = old.account.alerts.splice(0, 1);
    await look();
    if (first !== undefined) old.account.alerts.push(first);
    await look();
    expect(ours.writes).toEqual(['create m2', 'create m1']);
    expect(late).toBeLessThan(nowMs);
  });

  it('sees more changes than a page has, also where alerts change while it reads', async () => {
    await look();
    for (let number = 1; number <= 250; number += 1) theirs(number);
    let reads = 0;
    old.beforeAnswer = ({ path, query }) => {
      if (path === '/v2/alerts' && query.get('sort') === 'updatedAt' && (reads += 1) === 2)
        theirs(1, { priority: 'P1' });
    };
    const mirror = fresh();
    await look(mirror);
    await look(mirror);
    expect(ours.all.size).toBe(250);
    expect(ours.all.get(idOf(1))).toMatchObject({ priority: 'P1' });
  });

  it('goes on after an alert that Tocsin refuses, and names it', async () => {
    theirs(1);
    theirs(2);
    ours.refusal = ({ body }) => (body['message'] === 'm1' ? 'Request body is not processable.' : undefined);
    expect(await look()).toMatchObject({
      mirrored: 1,
      refused: [{ id: idOf(1), message: 'm1', why: 'Request body is not processable.' }],
    });
  });

  it('tries an alert again that Tocsin refused, in another process and after later changes too, until it is mirrored', async () => {
    theirs(1);
    theirs(2);
    await look();
    theirs(1, closed());
    theirs(3);
    ours.refusal = ({ path, body }) => (path.includes(idOf(1)) || body['message'] === 'm3' ? 'Try later.' : undefined);
    expect(await look()).toMatchObject({ mirrored: 0, refused: [{ message: 'm1' }, { message: 'm3' }] });
    nowMs += 10 * MINUTE;
    theirs(2, { priority: 'P1' });
    await look();
    expect(await look()).toMatchObject({ mirrored: 0, refused: [{ message: 'm1' }, { message: 'm3' }] });
    ours.refusal = () => undefined;
    expect(await look()).toMatchObject({ mirrored: 2, refused: [] });
    expect([1, 2, 3].map((number) => ours.all.get(idOf(number)))).toMatchObject([
      ...[{ status: 'closed' }, { priority: 'P1' }, { status: 'open' }],
    ]);
    expect([await look(), place.refused]).toMatchObject([{ mirrored: 0, refused: [] }, []]);
  });

  it('tries an open alert again that Tocsin refused at the first look', async () => {
    theirs(1);
    nowMs += 10 * MINUTE;
    theirs(2);
    place = new Place(nowMs);
    ours.refusal = ({ body }) => (body['message'] === 'm1' ? 'Try later.' : undefined);
    await look();
    expect(await look()).toMatchObject({ mirrored: 0, refused: [{ id: idOf(1), message: 'm1', why: 'Try later.' }] });
    ours.refusal = () => undefined;
    expect(await look()).toMatchObject({ mirrored: 1, refused: [] });
  });

  it('forgets a refused alert that is deleted in Opsgenie', async () => {
    theirs(1);
    ours.refusal = () => 'Try later.';
    await look();
    old.account.alerts.splice(0, 1);
    expect([await look(), place.refused]).toMatchObject([{ mirrored: 0, refused: [] }, []]);
  });

  it('tries 100 refused alerts in a look, and the others in the next ones', async () => {
    for (let number = 1; number <= 150; number += 1) theirs(number);
    nowMs += 10 * MINUTE;
    theirs(151);
    place = new Place(nowMs);
    ours.refusal = ({ body }) => (body['message'] === 'm151' ? undefined : 'Try later.');
    await look();
    const first = (await look()).refused.map(({ id }) => id);
    const next = (await look()).refused.map(({ id }) => id);
    expect([first.length, next.length, new Set([...first, ...next]).size]).toEqual([100, 100, 150]);
    expect(place.refused).toHaveLength(150);
  });

  it('goes on after an alert that cannot be read', async () => {
    await look();
    theirs(1);
    theirs(2);
    old.beforeAnswer = ({ path }) => {
      if (path === `/v2/alerts/${idOf(1)}`) old.next({ refuse: 400, body: '{"message":"It is broken."}' });
    };
    expect(await look()).toMatchObject({ mirrored: 1, refused: [{ id: idOf(1) }] });
  });

  it('makes no alert once shadow is off', async () => {
    await look();
    theirs(1);
    isShadow = false;
    await expect(look()).rejects.toThrow('Shadow is off');
    expect(ours.writes).toEqual([]);
  });

  it('leaves an alert closed that was closed in Tocsin', async () => {
    theirs(1);
    await look();
    ours.all.set(idOf(1), { ...ours.all.get(idOf(1)), status: 'closed' });
    theirs(1, acknowledged());
    expect(await look()).toMatchObject({ mirrored: 0 });
  });
});
