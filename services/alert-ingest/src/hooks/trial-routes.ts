import { type AnswerOf, HEADERS_OF_TOOLS, type ItemOf, TRIAL_LIMITS, TryIntegrationBody } from '@tocsin/api';
import { InvalidError, MalformedError } from '@tocsin/core';
import type { AlertCommand, TriedCommand } from '@tocsin/events';
import { boundTeam, defineRoute, limitHolder, type Route } from '@tocsin/http';
import { shortened } from '@tocsin/rules';
import type { AlertWrites, WriteRequest } from '../alerts/operations.ts';
import type { IntegrationActions } from '../integrations/action-operations.ts';
import type { Integrations } from '../integrations/operations.ts';
import { effectOf, type EvaluatedItem } from './hook-alert.ts';
import type { EvaluatedRequest, Hooks, SentHook } from './operations.ts';
import type { PresetSample } from './preset-store.ts';
import type { Preset } from './preset.ts';
import type { TryCommands } from './trial-client.ts';

interface TrialOptions {
  readonly alertWrites: Pick<AlertWrites, 'commandOfItem'>;
  readonly hooks: Hooks;
  readonly integrations: Integrations;
  readonly integrationActions: IntegrationActions;
  /** The samples of each preset, by its name. */
  readonly presetSamples: ReadonlyMap<string, readonly PresetSample[]>;
  readonly tryCommands: TryCommands;
}

/** The rights of the tool, which sends with the key of the integration. */
const SENDER = { kind: 'key', mayRead: true, mayWrite: true, mayConfigure: false } as const;

/** Presets, and trials of requests of tools (Q5). */
export function trialRoutes(options: TrialOptions): readonly Route[] {
  const { alertWrites, hooks, integrations, integrationActions, presetSamples, tryCommands } = options;
  // A message that came before is tried as if it came for the first time.
  const commandsOf = ({ items }: EvaluatedRequest, request: WriteRequest) =>
    items.map(({ identity: _, ...item }, index) => alertWrites.commandOfItem(item, index, request));
  const presets = hooks.presets.all.map((preset) => ({
    ...presetView(preset, presetSamples.get(preset.name) ?? []),
    origin: hooks.presets.isOwn(preset) ? ('installation' as const) : ('tocsin' as const),
  }));
  return [
    defineRoute({
      operation: 'list-presets',
      handle: () => Promise.resolve({ body: { data: presets } }),
    }),
    defineRoute({
      operation: 'try-integration',
      body: TryIntegrationBody,
      handle: async ({ params, body, principal, requestId, callerAddress }) => {
        const found = await integrations.get(params['integrationId'] ?? '', principal);
        const draft = body.actions && (await integrationActions.draft(found, body.actions, principal));
        const { id, name, type, ownerTeam } = found;
        const rules = { ...found, actions: draft ?? found.actions };
        const ownerTeamId = ownerTeam?.id;
        const tried = await tryHook(hooks, sentHook(body), { id, rules, ownerTeamId }, type);
        const sender = {
          ...SENDER,
          integrationId: id,
          integrationName: name,
          integrationType: type,
          teamId: ownerTeamId,
        };
        const commands = commandsOf(tried, { principal: sender, requestId, callerAddress });
        const teamId = boundTeam(principal);
        const question = { commands, holder: limitHolder(principal), ...(teamId !== undefined && { teamId }) };
        const outcomes = await tryCommands(question);
        return { body: { data: trialView(tried, commands, outcomes ?? []) } };
      },
    }),
  ];
}

/** What the answer to a tool says of its body is about a field here. */
async function tryHook(hooks: Hooks, ...request: Parameters<Hooks['try']>): Promise<EvaluatedRequest> {
  try {
    return await hooks.try(...request);
  } catch (error) {
    if (error instanceof MalformedError) throw InvalidError.ofFields({ raw: error.message });
    throw error;
  }
}

const CHARSET = /;\s*charset=[^;]*/i;
const HEADERS: ReadonlySet<string> = new Set(HEADERS_OF_TOOLS);

/** The request as it would reach a preset: without the key, and with the headers that the gateway passes on. */
function sentHook({
  payload,
  raw,
  contentType,
  headers = {},
  query = {},
  preset,
  vendor,
}: TryIntegrationBody): SentHook {
  const { apiKey: _, ...rest } = query;
  const given = Object.entries({ ...(contentType !== undefined && { 'content-type': contentType }), ...headers });
  return {
    // The text is in UTF-8, whatever the tool would write.
    body: { bytes: Buffer.from(raw ?? JSON.stringify(payload)), type: contentType?.replace(CHARSET, '') ?? '' },
    headers: Object.fromEntries(
      given.map(([name, value]) => [name.toLowerCase(), value] as const).filter(([name]) => HEADERS.has(name)),
    ),
    query: rest,
    preset,
    vendor,
  };
}

const presetView = (
  { name, title, docs, types, vendors, fields, setUp, notes }: Preset,
  samples: readonly PresetSample[],
) => ({
  name,
  title,
  ...(docs !== undefined && { docs }),
  types,
  vendors,
  fields: Object.keys(fields),
  setUp,
  notes,
  samples: samples.map(({ about, body, headers, name: sample, query }) => ({
    name: sample,
    about,
    payload: body,
    headers,
    query,
  })),
});

function trialView(
  { preset, itemCount, items }: EvaluatedRequest,
  commands: readonly AlertCommand[],
  tried: readonly TriedCommand[],
): AnswerOf<'try-integration'>['data'] {
  const outcomes = new Map(tried.map((outcome) => [outcome.requestId, outcome]));
  return {
    preset: preset.name,
    itemCount,
    items: items.map((item, index) => ({
      ...itemView(item),
      ...outcomeView(outcomes.get(commands[index]?.requestId ?? '')),
    })),
  };
}

function outcomeView(tried: TriedCommand | undefined): Pick<ItemView, 'outcome' | 'requestStatus' | 'openAlert'> {
  if (tried === undefined) return {};
  const { alert: openAlert, outcome, status: requestStatus } = tried;
  return { outcome, requestStatus, ...(openAlert !== undefined && { openAlert }) };
}

type ItemView = ItemOf<AnswerOf<'try-integration'>['data']['items']>;

function itemView({ item, alert, evaluated, unmatched }: EvaluatedItem): ItemView {
  const { state, priority, isTest } = item;
  const fields = Object.entries(item.fields).map(([name, text]) => [name, shortened(text, TRIAL_LIMITS.fieldLength)]);
  return {
    fields: Object.fromEntries(fields) as Record<string, string>,
    ...(state !== undefined && { state }),
    ...(priority !== undefined && { priority }),
    isTest,
    unmatched: unmatched.slice(0, TRIAL_LIMITS.unmatched),
    ...effectView(evaluated),
    remarks: ('alert' in evaluated ? evaluated.alert : alert).remarks ?? [],
  };
}

function effectView(evaluated: EvaluatedItem['evaluated']) {
  const effect = effectOf(evaluated);
  if (evaluated.kind === 'dropped') return { ...effect, note: '', user: '' };
  const { user, note } = evaluated;
  if (evaluated.kind !== 'create') return { ...effect, note, user };
  const { alert, source } = evaluated;
  const { message, description, entity, priority, tags, details, responders } = alert;
  return {
    ...effect,
    alert: { message, description, entity, source, priority, tags, details, responders },
    note,
    user,
  };
}
