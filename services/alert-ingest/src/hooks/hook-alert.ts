import type { CreateAlertBody, IntegrationActionBody } from '@tocsin/api';
import { ALERT_LIMITS, type NewAlert } from '@tocsin/events';
import { fittingText, newAlert, shortened } from '@tocsin/rules';
import { evaluate, type Evaluated } from '../alerts/evaluate.ts';
import type { ResponderNames, Rules } from '../alerts/sent-alert.ts';
import { actionOf, isAdvanced, type ActionGroups } from '../integrations/action.ts';
import type { HookItem } from './item.ts';
import type { State } from './preset.ts';

/** What an item of a request becomes. */
export interface EvaluatedItem {
  /** The alert before the actions apply. */
  readonly alert: NewAlert;
  readonly body: CreateAlertBody;
  readonly evaluated: Evaluated;
}

export interface ItemOrigin {
  readonly alertId: string;
  /** The team of the integration, whose alerts go to it (K4). */
  readonly ownerTeamId: string | undefined;
}

/** The effect of an item by the actions of its integration, else by those of all presets. Pure: what settles a request and what tries one use it. */
export function evaluateItem(rules: Rules, item: HookItem, origin: ItemOrigin, names: ResponderNames): EvaluatedItem {
  const { body, cut } = bodyOf(item);
  const made = newAlert(body, { ...origin, cutExcess: true });
  const remarks = [...item.remarks, ...cut, ...(made.remarks ?? [])];
  const alert: NewAlert = remarks.length === 0 ? made : { ...made, remarks };
  const evaluated = evaluate(
    { ...rules, actions: actionsFor(rules) },
    {
      alert,
      alias: item.alias,
      source: body.source ?? '',
      user: item.title,
      note: body.note ?? '',
      prioritized: item.priority !== undefined,
      teamKey: origin.ownerTeamId !== undefined,
      hook: item,
    },
    names,
  );
  return { alert, body, evaluated };
}

/** The actions that hold for requests of tools: those of the integration, if it has any of its own. */
function actionsFor({ actions }: Pick<Rules, 'actions'>): ActionGroups {
  return isAdvanced(actions) ? actions : PRESET_ACTIONS;
}

function bodyOf(item: HookItem) {
  const { title, alias, priority, details, tags } = item;
  const field = (name: string) => item.fields[name] ?? '';
  const text = field('text');
  const message = fittingText('message', oneLine(field('summary')) || `Alert from ${title}`, ALERT_LIMITS.message);
  const written = [text, field('link')].filter((part) => part !== '').join('\n');
  const description = fittingText('description', written, ALERT_LIMITS.description);
  const body: CreateAlertBody = {
    message: message.kept,
    ...(alias !== '' && { alias }),
    description: description.kept,
    entity: shortened(field('object'), ALERT_LIMITS.entity),
    source: shortened(field('source') || title, ALERT_LIMITS.source),
    user: title,
    // Of an alert it is the description.
    note: item.state === 'open' ? '' : shortened(text, ALERT_LIMITS.note),
    priority,
    details,
    tags,
    responders: [],
    teams: [],
    visibleTo: [],
    actions: [],
  };
  return { body, cut: [...message.cut, ...description.cut] };
}

const oneLine = (text: string): string => text.replaceAll(/\s*[\r\n]+\s*/g, ' ');

const isState = (...states: readonly (State | '')[]): NonNullable<IntegrationActionBody['filter']> => {
  const conditions = states.map((state) => ({
    field: '_state',
    not: false,
    operation: state === '' ? ('is-empty' as const) : ('equals' as const),
    expectedValue: state,
  }));
  const type = 'match-any-condition';
  return { set: { type, conditions }, written: { conditionMatchType: type, conditions } };
};

/** The actions for requests of tools where the integration has none of its own. A state that the preset does not know opens an alert. */
const PRESET_ACTIONS: ActionGroups = {
  ignore: [actionOf({ type: 'ignore', name: 'Ignore', filter: isState('ignore') }, [], 0)],
  create: [actionOf({ type: 'create', name: 'Open', filter: isState('open', '') }, [], 0)],
  close: [actionOf({ type: 'close', name: 'Close', filter: isState('close') }, [], 0)],
  acknowledge: [actionOf({ type: 'acknowledge', name: 'Acknowledge', filter: isState('acknowledge') }, [], 0)],
  addNote: [],
};
