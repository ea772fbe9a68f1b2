import { lengthText } from '../ui/time.ts';
import type { Evaluation, Simulation } from './queries.ts';

type Step = Simulation['steps'][number];
type Message = Simulation['messages'][number];

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** The result of a simulation in a sentence or two. */
export function outcomeText({ messages, outcome, reason = '' }: Simulation): string {
  if (outcome === 'dropped') return `The alert would be dropped: ${reason}.`;
  if (outcome === 'repeated') return `The alert would make no new one. ${reason}`;
  if (outcome === 'no-recipient') return `The alert would notify no user. ${reason}`.trim();
  const users = new Set(messages.map(({ user }) => user.id)).size;
  return `The alert would notify ${counted(users, 'user')}, with ${counted(messages.length, 'message')}.`;
}

/** When users would be notified by the policies, in a sentence; the instants in it are in UTC. */
export function startText(flow: Evaluation['flow']): string | undefined {
  switch (flow?.starts) {
    case undefined:
      return undefined;
    case 'at-once':
      return 'Notifications start at once.';
    case 'later':
      return `Notifications start at ${flow.startsAt}, by policy “${flow.policy}”.`;
    case 'by-occurrence':
      return `Notifications start with occurrence ${flow.occurrence}${
        flow.withinSeconds === undefined ? '' : ` within ${lengthText(flow.withinSeconds * 1_000)}`
      }, by policy “${flow.policy}”.`;
    case 'never':
      return `No user is notified: ${flow.suppressed}.`;
  }
}

/** What happens at one instant. */
export interface AxisEntry {
  /** As an instant. */
  readonly at: string;
  /** After the start, such as `at once` or `after 5 min`. */
  readonly after: string;
  readonly steps: readonly Step[];
  readonly messages: readonly Message[];
}

const MINUTE_MS = 60_000;

/** The steps and messages of a simulation on its axis, an entry for each minute, in the order of time. */
export function axisOf({ at, messages, steps }: Pick<Simulation, 'at' | 'messages' | 'steps'>): readonly AxisEntry[] {
  const start = Date.parse(at);
  const minuteOf = (one: { readonly at: string }) => Math.floor((Date.parse(one.at) - start) / MINUTE_MS);
  const stepsAt = Map.groupBy(steps, minuteOf);
  const messagesAt = Map.groupBy(messages, minuteOf);
  const minutes = [...new Set([...stepsAt.keys(), ...messagesAt.keys()])].toSorted((one, other) => one - other);
  return minutes.map((minute) => ({
    at: new Date(start + minute * MINUTE_MS).toISOString(),
    after: minute <= 0 ? 'at once' : `after ${lengthText(minute * MINUTE_MS)}`,
    steps: stepsAt.get(minute) ?? [],
    messages: messagesAt.get(minute) ?? [],
  }));
}

const METHODS: Readonly<Record<Message['method'], string>> = {
  email: 'mail',
  sms: 'SMS',
  voice: 'call',
  mobile: 'push',
};

export const methodText = (method: Message['method']): string => METHODS[method];

/** What a simulation leaves out, a sentence each. */
export const NOT_SIMULATED: readonly string[] = [
  'Actions of the integration: the alert is taken as it is after them.',
  'What people do: the simulation goes on as if no one acknowledged or closed the alert.',
  'Providers of mail, SMS, calls and push: whether they take a message and deliver it.',
  'Changes of the configuration after the present one, and steps later than seven days.',
  'Chance: where a rule notifies a member of a team at random, it can be another one.',
];
