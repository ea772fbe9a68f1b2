import type { Asked, Victim } from './watched-system.ts';

/** A point at which a process is killed or frozen: its first request of one kind after the alerts of the cell. */
export interface Point {
  readonly asked: Asked;
  /** In plain words. */
  readonly named: string;
  /** The request that counts is the first one after the rule of an escalation is due, a minute later. */
  readonly isTimed?: true;
}

/** A process is killed by SIGKILL, or frozen for longer than its leases and its membership of consumer groups last. */
export type Manner = 'killed' | 'frozen';

/** A request, and its name in plain words. */
interface Step {
  readonly of: Asked['of'];
  readonly what: string;
  readonly named: string;
  readonly isTimed?: true;
}

const write = (what: string, named: string): Step => ({ of: 'MongoDB', what, named });
const publish = (topic: string, named: string): Step => ({ of: 'Kafka', what: `produce ${topic}`, named });
const SETTLED: Step = { of: 'Kafka', what: 'commit offsets', named: 'the offset is settled' };
const COMMITTED = write('commitTransaction', 'the transaction is committed');
const POSITION = write('update checkpoints', 'the position is written');
const OUTBOX = write('insert outbox', 'what is to be published is written');

/** The steps of each victim in about their order. */
const STEPS: Readonly<Record<Victim, readonly Step[]>> = {
  'alert-processor': [
    POSITION,
    write('insert alerts', 'the alert is written'),
    write('update alerts', 'the change of the alert is written'),
    write('insert alert_logs', 'the log is written'),
    write('insert request_statuses', 'the request is settled'),
    OUTBOX,
    COMMITTED,
    publish('alert-events.v1', 'the event is published'),
    SETTLED,
  ],
  scheduling: [
    POSITION,
    write('update escalation_states', 'the escalation state is written'),
    OUTBOX,
    COMMITTED,
    publish('pages.v1', 'the page is published'),
    { ...write('update escalation_states', 'the escalation state of a due rule is written'), isTimed: true },
    { ...COMMITTED, named: 'the transaction of a due rule is committed', isTimed: true },
    SETTLED,
  ],
  notifier: [
    POSITION,
    write('update recipient_queues', 'the queue of a user is written'),
    write('insert deliveries', 'the message is written'),
    OUTBOX,
    COMMITTED,
    { of: 'mail server', what: 'mail', named: 'the mail is sent' },
    write('update deliveries', 'the result of the mail is written'),
    publish('decisions.v1', 'what became of the mail is published'),
    SETTLED,
  ],
};

/** Every point of every victim. */
export const POINTS: readonly Point[] = Object.entries(STEPS).flatMap(([victim, steps]) =>
  steps.flatMap(({ named, isTimed, ...step }) =>
    (['before', 'after'] as const).map((when) => ({
      asked: { victim: victim as Victim, when, ...step },
      named: `${when} ${named}`,
      ...(isTimed && { isTimed }),
    })),
  ),
);

/** The point of a victim with this name. @throws Error where there is none. */
export function pointOf(victim: Victim, named: string): Point {
  const point = POINTS.find((each) => each.asked.victim === victim && each.named === named);
  if (point === undefined) throw new Error(`${victim} has no point ${named}.`);
  return point;
}
