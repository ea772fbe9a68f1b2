import type { Answer } from '../api/answer.ts';
import { CallError } from '../api/call-error.ts';
import { fieldText } from '../api/problem-text.ts';
import { type Responder, responderOf, responderText } from '../people/people.ts';

export type Escalation = Answer<'get-escalation'>['data'];
type Rule = Escalation['rules'][number];
type Recipient = Rule['recipient'];
export type NotifyType = Rule['notifyType'];
export type Condition = Rule['condition'];

/** A rule as its form has it. */
export interface RuleForm {
  /** Who is notified, as a person types it. */
  readonly to: string;
  /** What `to` was before it was typed over. */
  readonly was: Recipient | undefined;
  readonly notifyType: NotifyType;
  readonly minutes: string;
  readonly condition: Condition;
}

/** An escalation as its form has it. */
export interface EscalationForm {
  readonly name: string;
  readonly description: string;
  readonly rules: readonly RuleForm[];
  readonly isRepeated: boolean;
  readonly wait: string;
  readonly count: string;
  readonly resets: boolean;
  readonly closes: boolean;
}

/** A recipient as a person types it. One that was deleted has no name. */
function recipientText(recipient: Recipient): string {
  if (recipient.type === 'user') return recipient.username ?? `deleted user ${recipient.id}`;
  return responderText(recipient.type, recipient.name ?? `deleted, ${recipient.id}`);
}

export const NEW_RULE: RuleForm = {
  to: '',
  was: undefined,
  notifyType: 'default',
  minutes: '0',
  condition: 'if-not-acked',
};

export function formOf({ description, name, repeat, rules }: Escalation): EscalationForm {
  return {
    name,
    description,
    rules: rules.map(({ condition, delay, notifyType, recipient }) => ({
      to: recipientText(recipient),
      was: recipient,
      notifyType,
      minutes: String(delay.timeAmount),
      condition,
    })),
    isRepeated: repeat !== undefined,
    wait: String(repeat?.waitInterval ?? 10),
    count: String(repeat?.count ?? 1),
    resets: repeat?.resetRecipientStates ?? false,
    closes: repeat?.closeAlertAfterAll ?? false,
  };
}

/** Which users of a recipient a rule notifies, by the kind of recipient, with the words of the form. */
const NOTIFY_TYPES: Readonly<Record<'user' | 'schedule' | 'team', Readonly<Partial<Record<NotifyType, string>>>>> = {
  user: { default: 'this user' },
  schedule: { default: 'who is on call', next: 'who is on call next', previous: 'who was on call before' },
  team: {
    default: 'whom its routing rules lead to',
    all: 'all its members',
    users: 'its members who are no admins',
    admins: 'its admins',
    random: 'one member at random',
  },
};

const kindOf = (to: string): 'user' | 'schedule' | 'team' => {
  const { type } = responderOf(to.trim());
  return type === 'escalation' ? 'user' : type;
};

export const notifyOptions = ({ to }: RuleForm): readonly { readonly value: NotifyType; readonly name: string }[] =>
  Object.entries(NOTIFY_TYPES[kindOf(to)]).map(([value, name]) => ({ value: value as NotifyType, name }));

/** The rule with another recipient. What only the kind before knows becomes the default. */
export function withRecipient(rule: RuleForm, to: string): RuleForm {
  const isKnown = NOTIFY_TYPES[kindOf(to)][rule.notifyType] !== undefined;
  return { ...rule, to, notifyType: isKnown ? rule.notifyType : 'default' };
}

/** The rules with one of them a place up (-1) or down (1). */
export function movedRule(rules: readonly RuleForm[], index: number, by: -1 | 1): readonly RuleForm[] {
  const rule = rules[index];
  const place = index + by;
  return rule === undefined || place < 0 || place >= rules.length
    ? rules
    : rules.toSpliced(index, 1).toSpliced(place, 0, rule);
}

/** A recipient as the API takes it: by id where it stayed, so that a change of names means no one else. */
type WrittenRecipient = Responder | { readonly type: Recipient['type']; readonly id: string };

/** An escalation as the API takes it. */
export interface EscalationBody {
  readonly name: string;
  readonly description: string;
  readonly rules: readonly {
    readonly condition: Condition;
    readonly notifyType: NotifyType;
    readonly delay: { readonly timeAmount: number };
    readonly recipient: WrittenRecipient;
  }[];
  /** A wait of 0 is no repetition. */
  readonly repeat: {
    readonly waitInterval: number;
    readonly count?: number;
    readonly resetRecipientStates?: boolean;
    readonly closeAlertAfterAll?: boolean;
  };
}

/** What is wrong, by the place in the form, such as `rules[1].to`. */
export type EscalationFaults = Readonly<Record<string, string>>;

/** What a form means as the API takes it, or what is wrong with it. */
export type ReadEscalation =
  | { readonly body: EscalationBody; readonly faults?: undefined }
  | { readonly faults: EscalationFaults; readonly body?: undefined };

const isWhole = (text: string): boolean => /^\s*\d+\s*$/.test(text);

export function readForm(form: EscalationForm): ReadEscalation {
  const faults = faultsOf(form);
  if (Object.keys(faults).length > 0) return { faults };
  const { closes, count, description, isRepeated, name, resets, rules, wait } = form;
  return {
    body: {
      name: name.trim(),
      description: description.trim(),
      rules: rules.map((rule) => ({
        condition: rule.condition,
        notifyType: rule.notifyType,
        delay: { timeAmount: Number(rule.minutes) },
        recipient: recipientOf(rule),
      })),
      repeat: isRepeated
        ? { waitInterval: Number(wait), count: Number(count), resetRecipientStates: resets, closeAlertAfterAll: closes }
        : { waitInterval: 0 },
    },
  };
}

function recipientOf({ to, was }: RuleForm): WrittenRecipient {
  return was !== undefined && recipientText(was) === to ? { type: was.type, id: was.id } : responderOf(to.trim());
}

const WHOLE = 'Type a whole number of minutes.';

function faultsOf({ count, isRepeated, name, rules, wait }: EscalationForm): EscalationFaults {
  const ofRules = rules.flatMap(({ minutes, to }, index) => {
    const fault = recipientFault(to.trim());
    return [
      ...(fault === undefined ? [] : [[`rules[${index}].to`, fault] as const]),
      ...(isWhole(minutes) ? [] : [[`rules[${index}].minutes`, WHOLE] as const]),
    ];
  });
  return {
    ...(name.trim() === '' && { name: 'Type a name.' }),
    ...Object.fromEntries(ofRules),
    ...(isRepeated && (!isWhole(wait) || Number(wait) === 0) && { wait: 'Type a whole number of minutes from 1 on.' }),
    ...(isRepeated && !isWhole(count) && { count: 'Type a whole number.' }),
  };
}

function recipientFault(to: string): string | undefined {
  if (to === '') return 'Type or choose a recipient.';
  return responderOf(to).type === 'escalation' ? 'A rule notifies a person, a schedule or a team.' : undefined;
}

const LABELS: Readonly<Record<string, string>> = {
  to: 'The recipient',
  minutes: 'The delay',
  notifyType: 'Who',
  condition: 'The condition',
  name: 'The name',
  description: 'The description',
  wait: 'The wait',
  count: 'The number',
};

const PLACES: readonly (readonly [RegExp, string])[] = [
  [/^rules\[(\d+)\]\.recipient\b.*/, 'rules[$1].to'],
  [/^rules\[(\d+)\]\.delay\b.*/, 'rules[$1].minutes'],
  [/^repeat\.waitInterval.*/, 'wait'],
  [/^repeat\.count.*/, 'count'],
];

/** What the server refuses, at the field that it is about; none where it is about none of them. */
export function refusedFields(error: unknown, { rules }: EscalationForm): EscalationFaults {
  if (!(error instanceof CallError)) return {};
  if (error.status === 409) return { name: `${error.message.replace(/\.$/, '')}.` };
  if (error.status === 404) {
    const gone = rules.findIndex(
      ({ to }) => error.message.includes(`[${nameIn(to)}]`) || error.message.endsWith(nameIn(to)),
    );
    return gone < 0 ? {} : { [`rules[${gone}].to`]: `${error.message.replace(/\.$/, '')}.` };
  }
  return Object.fromEntries(
    Object.entries(error.fields).flatMap(([name, fault]) => {
      const place = PLACES.reduce((text, [from, to]) => text.replace(from, to), name);
      const label = LABELS[place.split('.').at(-1) ?? ''];
      return label === undefined ? [] : [[place, fieldText(label, fault)] as const];
    }),
  );
}

function nameIn(to: string): string {
  const responder = responderOf(to.trim());
  return responder.type === 'user' ? responder.username : responder.name;
}

/** A rule in words, such as `After 5 min: Schedule: Nights, who is on call, if the alert is not acknowledged`. */
export function ruleText({ condition, delay, notifyType, recipient }: Rule): string {
  const when = delay.timeAmount === 0 ? 'At once' : `After ${delay.timeAmount} min`;
  const who = NOTIFY_TYPES[recipient.type][notifyType] ?? notifyType;
  return `${when}: ${recipientText(recipient)}, ${who}, ${CONDITIONS[condition]}`;
}

const CONDITIONS: Readonly<Record<Condition, string>> = {
  'if-not-acked': 'if the alert is not acknowledged',
  'if-not-closed': 'if the alert is not closed',
};

export function repeatText(repeat: Escalation['repeat']): string {
  if (repeat === undefined) return 'It is not repeated.';
  const { closeAlertAfterAll, count, resetRecipientStates, waitInterval } = repeat;
  return [
    `It is repeated ${count} times, ${waitInterval} min after its last rule.`,
    ...(resetRecipientStates ? ['A repetition takes an acknowledgement back.'] : []),
    ...(closeAlertAfterAll ? ['Afterwards the alert is closed.'] : []),
  ].join(' ');
}

/** What another person changed of an escalation since it was seen, a sentence each. */
export function changesBetween(before: Escalation, now: Escalation): readonly string[] {
  const rulesOf = ({ rules }: Escalation) => rules.map(ruleText);
  const [old, present] = [rulesOf(before), rulesOf(now)];
  return [
    ...(before.name === now.name ? [] : [`The name is “${now.name}” now.`]),
    ...(before.description === now.description ? [] : ['The description was changed.']),
    ...(before.ownerTeam?.id === now.ownerTeam?.id ? [] : ['Another team owns it.']),
    ...present.flatMap((text, index) => {
      if (old[index] === text) return [];
      return [
        old[index] === undefined ? `Rule ${index + 1} was added: ${text}.` : `Rule ${index + 1} is now: ${text}.`,
      ];
    }),
    ...old.slice(present.length).map((text) => `A rule was removed: ${text}.`),
    ...(repeatText(before.repeat) === repeatText(now.repeat) ? [] : [repeatText(now.repeat)]),
  ];
}
