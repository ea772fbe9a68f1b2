import { hash } from 'node:crypto';
import { AppError, type Clock, ForbiddenError, InvalidError, inSteps, NotFoundError, type Steps } from '@tocsin/core';
import { SAMPLE_LIMITS, TRIAL_LIMITS } from '@tocsin/api';
import type { KeyPrincipal, WholeBody } from '@tocsin/http';
import { type AlertWrites, requestIdOfItem, type WriteRequest } from '../alerts/operations.ts';
import type { ResponderNames, Rules } from '../alerts/sent-alert.ts';
import { DEFAULT_ACTIONS } from '../integrations/action.ts';
import { NO_CONTENT } from '../integrations/content.ts';
import {
  effectOf,
  type EvaluatedItem,
  evaluateItem,
  evaluateRequest,
  type HookIntegration,
  type HookResult,
  type ItemResult,
} from './hook-alert.ts';
import { type HookItem, type HookRequest, knows, valuesOf } from './item.ts';
import { FALLBACK, type Preset, type PresetChoice, type Presets } from './preset.ts';
import { opened, type Subscription, subscriptionOf } from './reading/envelope.ts';
import { readEvent } from './reading/event.ts';
import { readPayload } from './reading/payload.ts';
import type { Obstacle, Subscriptions } from './subscription-operations.ts';

/** What an item came to, as the metrics count it; `no-key` is one that nothing can find, or that finds nothing. */
type ItemOutcome = Exclude<EvaluatedItem['evaluated']['kind'], 'dropped'> | 'ignored' | LostOutcome;

/** Outcomes of which the log warns: later requests do not find the alert of an item without a key, and an item that no action matches has no effect. */
type LostOutcome = 'no-key' | 'unmatched';

/** How many items of a request came to each of these. */
export interface LostItems extends Readonly<Record<LostOutcome, number>> {
  readonly integrationId: string;
  readonly requestId: string;
  readonly preset: string;
}

export interface HooksOptions {
  readonly presets: Presets;
  readonly writes: AlertWrites;
  readonly names: ResponderNames;
  readonly subscriptions: Pick<Subscriptions, 'confirm'>;
  readonly clock: Clock;
  readonly newId: () => string;
  /** The rules of an integration; undefined where it is not known. */
  readonly rulesOf: (integrationId: string) => Promise<Rules | undefined>;
  /** Called for each item whose command is on Kafka. */
  readonly onItem: (preset: string, outcome: ItemOutcome) => void;
  /** Called for each request that has such items, once their commands are on Kafka. */
  readonly onLost: (lost: LostItems) => void;
  /** Called for each request of an integration that makes no alerts of its own. */
  readonly onRefused: (reason: RefusalReason, integrationId: string) => void;
  /** Called for each request once its answer is known. */
  readonly onAnswer: (answered: AnsweredHook) => void;
}

/** Why a request of a tool is refused as a whole. */
type RefusalReason = 'unreadable' | 'too-large';

/** A request of a tool, as it came. */
export interface SentHook {
  readonly body: WholeBody;
  readonly headers: HookRequest['headers'];
  readonly query: HookRequest['query'];
  /** How the body is read, where that is not by {@link readPayload}. */
  readonly read?: (body: WholeBody) => Promise<Pick<HookRequest, 'payload' | 'envelope'>>;
  /** The name of a preset, in the path. */
  readonly preset?: string | undefined;
  /** The word of the original for the tool, in the path. */
  readonly vendor?: string | undefined;
}

/** A request of a tool that has its answer. */
export interface AnsweredHook {
  readonly integrationId: string;
  readonly requestId: string;
  readonly receivedAt: Date;
  readonly sent: SentHook;
  readonly result: HookResult;
}

/** What a request of a tool comes to. */
export interface EvaluatedRequest {
  readonly preset: Preset;
  readonly itemCount: number;
  readonly items: readonly EvaluatedItem[];
}

/** Of a trial, which writes nothing. */
const TRIED: Obstacle = {
  reason:
    'A trial confirms no subscription. Tocsin confirms the first topic of an integration, if Amazon SNS signed it.',
  showsLink: true,
};

/** Reads the events of PagerDuty. */
const PRESET_OF_EVENTS = 'pagerduty';

/** More are refused: the tool should send them in several requests. */
const MAX_ITEMS = 1_000;

/** Turns requests of tools into alert commands (Q1). */
export class Hooks {
  readonly #options: HooksOptions;

  constructor(options: HooksOptions) {
    this.#options = options;
  }

  /**
   * One command for each item of the request. Resolves with their number when all are on Kafka.
   *
   * @throws NotFoundError for an unknown preset; InvalidError for more items than a request may have; MalformedError or InvalidError for a request
   *   that cannot be read. Of the last two an alert of the integration is on Kafka, once an hour (Q4); UnavailableError when the commands
   *   could not be put there.
   */
  async take(sent: SentHook, request: WriteRequest): Promise<number> {
    const { clock, onAnswer } = this.#options;
    const { principal, requestId } = request;
    if (principal.kind !== 'key') throw new ForbiddenError('Only an API key can do this, not a user.');
    const received = { integrationId: principal.integrationId, requestId, receivedAt: clock.now(), sent };
    try {
      const { preset, itemCount, items } = await this.#taken(sent, request, principal);
      const shown = items.slice(0, SAMPLE_LIMITS.items).map((each, index) => itemResult(each, requestId, index));
      onAnswer({ ...received, result: { preset: preset.name, itemCount, items: shown } });
      return itemCount;
    } catch (error) {
      if (error instanceof AppError) onAnswer({ ...received, result: { refusal: sentenceOf(error) } });
      throw error;
    }
  }

  async #taken(sent: SentHook, request: WriteRequest, principal: KeyPrincipal): Promise<EvaluatedRequest> {
    const { presets, writes, rulesOf } = this.#options;
    if (sent.preset !== undefined && presets.named(sent.preset) === undefined)
      throw new NotFoundError(`There is no preset [${sent.preset}].`);
    const { integrationId: id, teamId: ownerTeamId } = principal;
    const integration = { id, rules: (await rulesOf(id)) ?? rulesOfUnknown(principal), ownerTeamId };
    const evaluated = await this.#evaluated(sent, integration, request, principal);
    await writes.createFromHook(evaluated.items, request);
    this.#reportItems(evaluated, id, request.requestId);
    return evaluated;
  }

  #reportItems({ items, preset }: EvaluatedRequest, integrationId: string, requestId: string): void {
    const { onItem, onLost } = this.#options;
    const lost = { 'no-key': 0, unmatched: 0 };
    for (const { item, evaluated } of items) {
      const outcome = outcomeOf(evaluated);
      onItem(item.preset, outcome);
      if (outcome === 'no-key' || outcome === 'unmatched') lost[outcome] += 1;
    }
    if (lost['no-key'] + lost.unmatched > 0) onLost({ integrationId, requestId, preset: preset.name, ...lost });
  }

  /**
   * As `take`, of an event of PagerDuty (Q7). Resolves with its key, which is made where the event has none: then a repeat of the message
   * has the same.
   */
  async takeEvent(sent: SentHook, request: WriteRequest): Promise<string> {
    const { newId } = this.#options;
    const { 'idempotency-key': messageId } = sent.headers;
    const newKey = () => (messageId === undefined ? newId() : digestOf(messageId));
    let key = '';
    const read = async (body: WholeBody) => {
      const event = await readEvent(body, newKey);
      key = event.dedup_key;
      return { payload: event };
    };
    await this.take({ ...sent, read, preset: PRESET_OF_EVENTS }, request);
    return key;
  }

  get presets(): Presets {
    return this.#options.presets;
  }

  /**
   * What the request would come to for an integration of this type; nothing is written. Of the first items alone, with why actions did not
   * match.
   *
   * @throws InvalidError for an unknown preset, and as `take` does for a request that cannot be read.
   */
  async try(sent: SentHook, integration: HookIntegration, type: string): Promise<EvaluatedRequest> {
    if (sent.preset !== undefined && this.#options.presets.named(sent.preset) === undefined)
      throw InvalidError.ofFields({ preset: `should be the name of a preset, not [${sent.preset}]` });
    return this.#evaluate(sent, type, integration, true);
  }

  async #evaluated(
    sent: SentHook,
    integration: HookIntegration,
    request: WriteRequest,
    { integrationType: type }: KeyPrincipal,
  ): Promise<EvaluatedRequest> {
    try {
      return await this.#evaluate(sent, type, integration);
    } catch (error) {
      if (error instanceof AppError) await this.#openAlertOf(error, integration, request);
      throw error;
    }
  }

  async #evaluate(
    { body, headers, query, read, preset: name, vendor }: SentHook,
    type: string,
    integration: HookIntegration,
    isTrial = false,
  ): Promise<EvaluatedRequest> {
    const content = await (read?.(body) ?? readPayload(body, query));
    const hook: HookRequest = { ...content, headers, query };
    const subscription = subscriptionOf(hook);
    if (subscription !== undefined) return this.#evaluateSubscription(subscription, integration, isTrial);
    return inSteps(this.#evaluateItems(hook, { type, name, vendor }, integration, isTrial));
  }

  /** Amazon SNS sends nothing of the topic before its subscription is confirmed. A trial confirms none. */
  async #evaluateSubscription(
    subscription: Subscription,
    integration: HookIntegration,
    isTrial: boolean,
  ): Promise<EvaluatedRequest> {
    const { presets, subscriptions } = this.#options;
    const obstacle = isTrial ? TRIED : await subscriptions.confirm(subscription, integration.id);
    const items = obstacle === undefined ? [] : [this.#confirmation(subscription, obstacle, integration)];
    return { preset: presets.fallback, itemCount: 1, items };
  }

  *#evaluateItems(
    hook: HookRequest,
    choice: PresetChoice,
    integration: HookIntegration,
    isTrial: boolean,
  ): Steps<EvaluatedRequest> {
    const { presets, names, newId } = this.#options;
    const content = yield* opened(hook);
    const preset = presets.chosen(choice, (each) => knows(each, content));
    const values = valuesOf(preset, content);
    if (values.length > MAX_ITEMS) throw new TooManyItemsError();
    const found = { preset, values: values.slice(0, isTrial ? TRIAL_LIMITS.items : undefined) };
    const items = yield* evaluateRequest(found, content, integration, { digestOf, names, newId, explains: isTrial });
    return { preset, itemCount: values.length, items };
  }

  /** The log of a sender is rarely read, so an alert says once an hour that its requests come to nothing. */
  async #openAlertOf(error: AppError, integration: HookIntegration, request: WriteRequest): Promise<void> {
    const { writes, clock, onRefused } = this.#options;
    const reason = error instanceof TooManyItemsError ? 'too-large' : 'unreadable';
    const alias = `webhook:${integration.id}:${reason}`;
    const alert = this.#ownAlert(integration, alias, {
      summary: `Requests of a tool to integration [${integration.rules.name}] are refused`,
      text: `${sentenceOf(error)} The tool calls from ${request.callerAddress}. No alert came of the request.`,
    });
    const hour = clock.now().toISOString().slice(0, 13);
    const identity = { key: digestOf(`${alias} ${hour}`), hasMessageId: true };
    await writes.createFromHook([{ ...alert, identity }], request);
    onRefused(reason, integration.id);
  }

  /** What Tocsin does not confirm a person can. */
  #confirmation(
    { topic, url }: Subscription,
    { reason, showsLink }: Obstacle,
    integration: HookIntegration,
  ): EvaluatedItem {
    const link = `\nOpen the link to confirm the subscription, within three days:\n${url ?? ''}`;
    return this.#ownAlert(integration, `webhook:${integration.id}:subscription:${digestOf(topic)}`, {
      summary: `A topic of Amazon SNS asks to send to integration [${integration.rules.name}]`,
      text: `It is the topic ${topic}. ${reason}${showsLink && url !== undefined ? link : ''}`,
    });
  }

  /** An alert about the requests of a tool, by no preset and no action. */
  #ownAlert({ rules, ownerTeamId }: HookIntegration, alias: string, fields: HookItem['fields']): EvaluatedItem {
    const { names, newId } = this.#options;
    const item: HookItem = { ...NOTHING, alias, fields };
    return evaluateItem({ ...rules, actions: DEFAULT_ACTIONS }, item, { alertId: newId(), ownerTeamId }, names);
  }
}

class TooManyItemsError extends InvalidError {
  constructor() {
    super(`The request has more than ${MAX_ITEMS} items. Please send them in several requests.`);
  }
}

/** An item without a field, about the tool as such. */
const NOTHING: HookItem = {
  preset: FALLBACK,
  title: 'Tocsin',
  fields: {},
  state: 'open',
  priority: undefined,
  alias: '',
  details: {},
  tags: [],
  isTest: false,
  remarks: [],
  texts: { _item: () => '', _payload: () => '', _envelope: () => '', _headers: () => '', _query: () => '' },
};

/** The rules of an integration that was created just now. */
const rulesOfUnknown = ({ integrationName }: KeyPrincipal): Rules => ({
  name: integrationName,
  actions: DEFAULT_ACTIONS,
  content: NO_CONTENT,
  recipients: [],
  ignoreRecipients: false,
  ignoreTeams: false,
  ignoreResponders: false,
  suppressNotifications: false,
});

const digestOf = (text: string): string => hash('sha256', text).slice(0, 32);

/** What is wrong, as the answer says it. */
function sentenceOf(error: AppError): string {
  const fields = error instanceof InvalidError ? Object.entries(error.fields ?? {}) : [];
  const [first] = fields;
  return first === undefined ? error.message : `${error.message}: ${first[0]} ${first[1]}.`;
}

const itemResult = ({ item, evaluated }: EvaluatedItem, requestId: string, index: number): ItemResult => ({
  requestId: requestIdOfItem(requestId, index),
  ...(item.state !== undefined && { state: item.state }),
  ...effectOf(evaluated),
});

function outcomeOf(evaluated: EvaluatedItem['evaluated']): ItemOutcome {
  if (evaluated.kind !== 'dropped') return evaluated.alias === '' ? 'no-key' : evaluated.kind;
  if (evaluated.matchedAction !== undefined) return 'ignored';
  return evaluated.hasNoAlias === true ? 'no-key' : 'unmatched';
}
