import type { Answer } from '../api/answer.ts';
import { CallError } from '../api/call-error.ts';
import { timeText } from '../schedules/time-text.ts';
import type { PresetSample } from './hook.ts';

/** What a request of a tool would come to. */
export type Trial = Answer<'try-integration'>['data'];
export type TriedItem = Trial['items'][number];

/** A request of a tool as a person has it in the form: typed, that of a sample, or one that came. */
export type TriedRequest = Answer<'get-integration-sample'>['data']['request'];

/** A request that came to the integration. */
export type ReceivedRequest = Answer<'list-integration-samples'>['data'][number];

export const NO_REQUEST: TriedRequest = { raw: '', headers: {}, query: {} };

/** A sample as the form has it. */
export const requestOf = ({ headers, payload, query }: PresetSample): TriedRequest => ({
  raw: JSON.stringify(payload, undefined, 2),
  headers,
  query,
});

/** The samples of a preset and the requests that came, for a choice. */
export const sampleOptions = (
  samples: readonly PresetSample[],
  received: readonly ReceivedRequest[],
  zone: string,
): readonly { readonly value: string; readonly name: string }[] => [
  { value: '', name: 'None: type or paste a request' },
  ...received.map((one) => ({ value: one.id, name: receivedText(one, zone) })),
  ...samples.map(({ about, name }) => ({ value: name, name: `${name}: ${about}` })),
];

/** How many items a request has. */
export const itemsText = (count: number): string => (count === 1 ? '1 item' : `${count} items`);

/** When a request came, and what became of it. */
function receivedText({ isTruncated, itemCount, items, receivedAt, refusal }: ReceivedRequest, zone: string): string {
  const effects = [...new Set(items.map(({ effect }) => effect))].join(', ');
  const result = refusal === undefined ? `${itemsText(itemCount)}: ${effects}` : 'refused';
  return `Received ${timeText(Date.parse(receivedAt), zone)}, ${result}${isTruncated ? ', not all of it kept' : ''}`;
}

interface TrialOptions {
  /** Undefined where the path of the request, or the server, chooses it. */
  readonly preset: string | undefined;
  /** A draft in place of the actions of the integration. */
  readonly actions: object | undefined;
}

/** The body of a trial. */
export const trialBody = (request: TriedRequest, { actions, preset }: TrialOptions): object => ({
  ...request,
  ...(preset !== undefined && { preset }),
  ...(actions !== undefined && { actions }),
});

const opened = ({ alert }: TriedItem): string =>
  // The schema of a priority reads more than it writes.
  `It opens the alert “${alert?.message ?? ''}” of priority ${(alert?.priority as string | undefined) ?? ''}, or counts on the open alert with its alias.`;

const VERBS: Readonly<Record<TriedItem['effect'], (item: TriedItem) => string>> = {
  create: opened,
  close: () => 'It closes the open alert with its alias.',
  acknowledge: () => 'It acknowledges the open alert with its alias.',
  'add-note': ({ note }) => `It adds the note “${note}” to the open alert with its alias.`,
  none: ({ reason = '' }) => `Nothing would happen. ${reason}`,
};

/** The alert that an item would change. An item before it may open that alert; then it has no number yet. */
const openAlertText = ({ openAlert }: TriedItem): string =>
  openAlert === undefined ? 'the open alert with its alias' : `the open alert #${openAlert.tinyId}`;

const raisedText = (item: TriedItem): string => {
  const { alert, openAlert } = item;
  const from = openAlert === undefined ? '' : ` from ${openAlert.priority as string}`;
  const acknowledged = openAlert?.acknowledged === true ? ' No user is paged again, because it is acknowledged.' : '';
  return `It raises ${openAlertText(item)}${from} to ${(alert?.priority as string | undefined) ?? ''}.${acknowledged}`;
};

/** By what the alerts of this moment make of an item. */
const OUTCOMES: Readonly<Record<NonNullable<TriedItem['outcome']>, (item: TriedItem) => string>> = {
  opened: ({ alert }) =>
    `It opens the alert “${alert?.message ?? ''}” of priority ${(alert?.priority as string | undefined) ?? ''}.`,
  counted: (item) => `It counts on ${openAlertText(item)}.`,
  raised: raisedText,
  closed: (item) => `It closes ${openAlertText(item)}.`,
  'nothing-to-close': () => 'No alert with its alias is open: it closes nothing.',
  acknowledged: (item) => `It acknowledges ${openAlertText(item)}.`,
  noted: (item) => `It adds the note “${item.note}” to ${openAlertText(item)}.`,
  dropped: ({ requestStatus = '' }) => `Nothing would happen. ${requestStatus}`,
  failed: ({ requestStatus = '' }) => `It would fail. ${requestStatus}`,
};

/** What would come of an item, as a sentence. */
export function effectText(item: TriedItem): string {
  const { effect, outcome } = item;
  return (outcome === undefined ? VERBS[effect] : OUTCOMES[outcome])(item).trim();
}

type Facts = readonly (readonly [name: string, text: string])[];

const named = (facts: Facts): Facts => facts.filter(([, text]) => text !== '');

/** What an item would come to, by what it is. Nothing of it is blank. */
export const itemFacts = ({ action, alert, alias, effect, isTest, user }: TriedItem): Facts =>
  named([
    ['Alias', alias === '' && effect !== 'none' ? 'none: no later request finds its alert' : alias],
    ['Action', action?.name ?? 'none matches'],
    ...(alert === undefined ? [] : alertFacts(alert)),
    ['By', user],
    ['Test', isTest ? 'a test of the tool' : ''],
  ]);

const alertFacts = ({ description, entity, source, tags }: NonNullable<TriedItem['alert']>): Facts => [
  ['Description', description],
  ['Entity', entity],
  ['Source', source],
  ['Tags', tags.join(', ')],
];

/** The fields that the preset reads of an item, which actions know, and the details of its alert. Nothing of it is blank. */
export const fieldFacts = ({ alert, fields }: TriedItem): Facts =>
  named([
    ...Object.entries(fields),
    ...Object.entries(alert?.details ?? {}).map(([name, text]) => [`Detail ${name}`, text] as const),
  ]);

/** Why the server refused the request; undefined where it refused something else, or nothing. */
export function requestFault(error: unknown): string | undefined {
  if (!(error instanceof CallError)) return undefined;
  const fault = error.fields['raw'] ?? error.fields['payload'];
  return fault === undefined ? undefined : `The request can not be read: ${fault}`;
}

const OF_ACTIONS = 'actions.';

/** What the server refused of the draft, by the names of its fields in the actions. */
export const refusedDraft = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof CallError
    ? Object.fromEntries(
        Object.entries(error.fields).flatMap(([path, fault]) =>
          path.startsWith(OF_ACTIONS) ? [[path.slice(OF_ACTIONS.length), fault]] : [],
        ),
      )
    : {};
