import type {
  AcknowledgeAlert,
  AddNote,
  AlertCommand,
  AlertIdentifier,
  CloseAlert,
  CreateAlert,
  ResetRecipientStates,
} from '@tocsin/events';

export const ACCEPTED_AT = '2026-01-05T08:00:00.000Z';

let requests = 0;

/** A new request id each time: a UUID v7 of `at`. */
export function requestId(at: string = ACCEPTED_AT): string {
  requests += 1;
  const ms = new Date(at).getTime().toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-${requests.toString(16).padStart(12, '0')}`;
}

type Common = Omit<CloseAlert, 'kind' | 'identifier' | 'cycle'>;

function common(at: string): Common {
  return {
    requestId: requestId(at),
    integration: { id: 'integration-1', name: 'Default API', type: 'API' },
    actor: 'Alert API',
    source: '10.0.0.7',
    acceptedAt: at,
  };
}

/** A create under `alias`; its alert id is derived from the request, so that two creates never share one. */
export function create(
  alias: string,
  {
    at = ACCEPTED_AT,
    alert = {},
    ...rest
  }: Partial<Common> & { at?: string; alert?: Partial<CreateAlert['alert']>; dropped?: string; recovery?: true } = {},
): CreateAlert {
  const own = { ...common(at), ...rest };
  const alertId = `alert-${own.requestId}`;
  return {
    kind: 'create',
    ...own,
    identifier: alias === '' ? { type: 'id', value: alertId } : { type: 'alias', value: alias },
    alert: {
      alertId,
      alias,
      message: 'Disk full',
      description: '',
      responders: [],
      visibleTo: [],
      actions: [],
      tags: [],
      details: {},
      entity: '',
      priority: 'P3',
      ...alert,
    },
  };
}

/** The responder of an alert of `pagingCreate`. */
export const DUTY = { type: 'user', id: 'duty' } as const;

/** Like `create`, with a responder: only alerts with responders are published (F4). */
export function pagingCreate(alias: string, { alert, ...rest }: Parameters<typeof create>[1] = {}): CreateAlert {
  return create(alias, { ...rest, alert: { responders: [DUTY], ...alert } });
}

type Options = Partial<Common> & { at?: string };

export function acknowledge(
  identifier: AlertIdentifier,
  { at = ACCEPTED_AT, ...rest }: Options = {},
): AcknowledgeAlert {
  return { kind: 'acknowledge', identifier, ...common(at), ...rest };
}

export function close(
  identifier: AlertIdentifier,
  { at = ACCEPTED_AT, ...rest }: Options & Pick<CloseAlert, 'cycle'> = {},
): CloseAlert {
  return { kind: 'close', identifier, ...common(at), ...rest };
}

export function addNote(
  identifier: AlertIdentifier,
  note: string,
  { at = ACCEPTED_AT, ...rest }: Options = {},
): AddNote {
  return { kind: 'add-note', identifier, ...common(at), ...rest, note };
}

type Ordered = Exclude<AlertCommand, { kind: 'create' }>;
type Own<C> = C extends Ordered ? Omit<C, 'identifier' | keyof Common> : never;

/** Any command about the alert that `identifier` names. */
export function order(
  identifier: AlertIdentifier,
  own: Own<Ordered>,
  { at = ACCEPTED_AT, ...rest }: Options = {},
): AlertCommand {
  return { identifier, ...common(at), ...rest, ...own } as AlertCommand;
}

/** The command of an escalation that repeats, about one cycle of an alert. */
export function resetRecipientStates(
  alertId: string,
  cycle: number,
  { at = ACCEPTED_AT, ...rest }: Options = {},
): ResetRecipientStates {
  const identifier = byId(alertId);
  return { kind: 'reset-recipient-states', identifier, ...common(at), actor: 'System', ...rest, cycle };
}

export const byAlias = (value: string): AlertIdentifier => ({ type: 'alias', value });
export const byId = (value: string): AlertIdentifier => ({ type: 'id', value });
