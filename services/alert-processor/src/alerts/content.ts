import { detailsLength } from '@tocsin/api';
import {
  ALERT_LIMITS,
  codePoints,
  type AddDetails,
  type AddNote,
  type AddTags,
  type ExecuteAction,
  type RemoveDetails,
  type RemoveTags,
  type UpdateDescription,
  type UpdateMessage,
  type UpdatePriority,
} from '@tocsin/events';
import type { Alert } from './alert.ts';
import { changed, via, type Decided } from './decided.ts';

const refused = (status: string): Decided => ({ kind: 'refused', status });
const unchanged = (status: string): Decided => ({ kind: 'unchanged', status });

/** Adds a note, also to a closed alert. */
export function noted(_: Alert, command: AddNote): Decided {
  return changed(
    command,
    { kind: 'noted' },
    { status: 'Added note', log: `Note added ${via(command, 'Add Note')}`, fact: 'noted' },
  );
}

/** The tags of an alert: each once, and no empty one. */
export const eachOnce = (tags: readonly string[]): string[] => [...new Set(tags)].filter((tag) => tag !== '');

/** Appends the tags that the alert does not have yet (E8). */
export function tagsAdded(alert: Alert, command: AddTags): Decided {
  const status = 'Added tags';
  const asked = command.keepWhatFits === true ? command.tags.map(short) : command.tags;
  const all = eachOnce([...alert.tags, ...asked]);
  const tags = all.slice(0, ALERT_LIMITS.tags);
  const excess = all.length - tags.length;
  if (excess > 0 && command.keepWhatFits !== true)
    return refused(`The alert would have more than ${ALERT_LIMITS.tags} tags`);
  const added = tags.filter((tag) => !alert.tags.includes(tag));
  if (added.length === 0) return unchanged(status);
  return changed(
    command,
    { kind: 'content-changed', content: { tags } },
    {
      status,
      log: `Tags [${added.join(', ')}] added ${via(command, 'Add Tags')}`,
      fact: 'tags-added',
      besides: excess === 0 ? [] : [`tags: ${excess} were left out, over ${ALERT_LIMITS.tags}.`],
    },
  );
}

const short = (tag: string): string =>
  codePoints(tag) <= ALERT_LIMITS.tagLength ? tag : Array.from(tag).slice(0, ALERT_LIMITS.tagLength).join('');

export function tagsRemoved(alert: Alert, command: RemoveTags): Decided {
  const status = 'Removed tags';
  const tags = alert.tags.filter((tag) => !command.tags.includes(tag));
  if (tags.length === alert.tags.length) return unchanged(status);
  const removed = alert.tags.filter((tag) => !tags.includes(tag)).join(', ');
  return changed(
    command,
    { kind: 'content-changed', content: { tags } },
    { status, log: `Tags [${removed}] removed ${via(command, 'Remove Tags')}`, fact: 'tags-removed' },
  );
}

/** Adds details; a key that the alert has gets the new value (E8). */
export function detailsAdded(alert: Alert, command: AddDetails): Decided {
  const status = 'Added details';
  const entries = Object.entries(command.details).filter(([key, value]) => alert.details[key] !== value);
  if (entries.length === 0) return unchanged(status);
  const { details, leftOut } =
    command.keepWhatFits === true ? fitting(alert.details, entries) : merged(alert.details, entries);
  if (detailsLength(details) > ALERT_LIMITS.details)
    return refused(`The details of the alert would be longer than ${ALERT_LIMITS.details} characters`);
  const added = entries.map(([key]) => key).filter((key) => !leftOut.has(key));
  if (added.length === 0) return unchanged(status);
  return changed(
    command,
    { kind: 'content-changed', content: { details } },
    {
      status,
      log: `Details [${added.join(', ')}] added ${via(command, 'Add Details')}`,
      fact: 'details-added',
      besides: leftOut.size === 0 ? [] : [`details: ${leftOut.size} were left out, over ${ALERT_LIMITS.details}.`],
    },
  );
}

type Details = Readonly<Record<string, string>>;
type Entries = readonly (readonly [key: string, value: string])[];

/** The details after an addition, and the keys that were left out. */
interface Merged {
  readonly details: Details;
  readonly leftOut: ReadonlySet<string>;
}

const merged = (held: Details, entries: Entries): Merged => ({
  details: Object.fromEntries([...Object.entries(held), ...entries]),
  leftOut: new Set(),
});

/** Adds the entries that fit, in their order. One pass, because there may be thousands. */
function fitting(held: Details, entries: Entries): Merged {
  const details = new Map(Object.entries(held));
  const leftOut = new Set<string>();
  let length = detailsLength(held);
  for (const [key, value] of entries) {
    const before = details.get(key);
    const grown = length + codePoints(value) + (before === undefined ? codePoints(key) : -codePoints(before));
    if (grown > ALERT_LIMITS.details) leftOut.add(key);
    else {
      details.set(key, value);
      length = grown;
    }
  }
  return { details: Object.fromEntries(details), leftOut };
}

export function detailsRemoved(alert: Alert, command: RemoveDetails): Decided {
  const status = 'Removed details';
  const unwanted = new Set(command.keys);
  const removed = Object.keys(alert.details).filter((key) => unwanted.has(key));
  if (removed.length === 0) return unchanged(status);
  const kept = Object.entries(alert.details).filter(([key]) => !unwanted.has(key));
  return changed(
    command,
    { kind: 'content-changed', content: { details: Object.fromEntries(kept) } },
    {
      status,
      log: `Details [${removed.join(', ')}] removed ${via(command, 'Remove Details')}`,
      fact: 'details-removed',
    },
  );
}

/** Refuses an action that the alert does not list (A9). */
export function actionExecuted(alert: Alert, command: ExecuteAction): Decided {
  const { action } = command;
  if (!alert.actions.includes(action)) return refused(`The alert has no action [${action}]`);
  return changed(
    command,
    { kind: 'noted' },
    {
      status: 'Executed custom action',
      log: `Action [${action}] executed ${via(command, 'Custom Action')}`,
      fact: 'action-executed',
      more: { action },
    },
  );
}

export function messageUpdated(_: Alert, command: UpdateMessage): Decided {
  const { message } = command;
  return updated(command, { message }, 'message', message);
}

export function descriptionUpdated(_: Alert, command: UpdateDescription): Decided {
  return updated(command, { description: command.description }, 'description');
}

export function priorityUpdated(_: Alert, command: UpdatePriority): Decided {
  const { priority } = command;
  return updated(command, { priority }, 'priority', priority);
}

type Update = UpdateMessage | UpdateDescription | UpdatePriority;

function updated(
  command: Update,
  content: Partial<Pick<Alert, 'message' | 'description' | 'priority'>>,
  field: string,
  value?: string,
): Decided {
  const to = value === undefined ? '' : ` to [${value}]`;
  return changed(
    command,
    { kind: 'content-changed', content },
    {
      status: `Updated ${field}`,
      log: `Alert ${field} updated${to} ${via(command, `Update ${field}`)}`,
      fact: 'updated',
    },
  );
}
