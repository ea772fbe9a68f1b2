import { resource, type Rules } from '../operation.ts';

/** The kinds of changes that a page can follow. */
export type ChangedKind = 'alerts' | 'schedules' | 'escalations' | 'users' | 'teams' | 'integrations';

/** An entity that was changed or deleted. */
interface ChangeHint {
  readonly id: string;
  /** Differs from that of each other state of the entity; nothing more can be read from it. */
  readonly version: string;
}

/** The data of an event `changes`: by kind, the entities that were changed; `many` where they are not listed. */
export type Changes = Readonly<Partial<Record<ChangedKind, readonly ChangeHint[] | 'many'>>>;

const RULES: Rules = {
  L1: [
    'The stream of changes says which entities were changed or deleted, by id and version; what they are now is read by the operations of each kind.',
    'It has the event `ready` first, when every later change is followed by a hint; then events `changes`, at most two a second, such as `{"alerts":[{"id":"0198c0de-…","version":"7"}],"users":"many"}`. A kind of which more than 50 entities were changed since the event before is `many`. An entity may be named again without a change. A comment comes every 15 s.',
    'Kinds: `alerts`, `schedules` (with rotations and overrides), `escalations`, `users` (with contacts and notification rules), `teams` (with routing rules) and `integrations`. A change of an alert without responders and without owner has no hint (F4), so a page reads lists of alerts now and then as well.',
    'Every person who is signed in may follow all of it (K12). The stream ends within a second of the session (K21). It is no use of the session.',
    'A person has at most 8 streams of a gateway at a time, fewer the more of them others have (F1), and at least one; further ones get 429. A gateway has `CHANGE_STREAMS` in all; further ones get 503. A stream whose reader does not read is closed.',
    'The gateway ends all streams when it stops. A page opens its stream again, reads what it shows again after `ready`, and asks every few seconds where it has no stream.',
  ],
};

/** The changes that the console follows. Operations of Tocsin. */
export const CONSOLE_CHANGES = resource('Changes', RULES, {
  'follow-changes': {
    right: 'session',
    domain: 'configuration',
    owner: 'gateway',
    transfer: 'stream',
    method: 'GET',
    path: '/console/api/changes',
    summary: 'Says which entities change, as they change',
    description: 'Server-sent events, until the session ends (L1).',
    success: {
      mediaType: 'text/event-stream',
      description: 'Server-sent events (L1). It goes on until either side ends it.',
    },
  },
});
