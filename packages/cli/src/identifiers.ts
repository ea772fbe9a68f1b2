import { EXIT, CliError } from './cli-error.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Ids of this API are UUIDs; whatever has another form is a name. */
export const isId = (text: string): boolean => UUID.test(text);

export const ALERT_KINDS = ['id', 'tiny', 'alias'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/**
 * How a path names an alert: by its id, its short number, or its alias, distinguished by their form unless `by` says.
 *
 * @throws CliError (usage) for an empty name, as of a script's unset variable: its path would be that of all alerts.
 */
export function alertPath(alert: string, by?: AlertKind): { readonly path: string; readonly kind: AlertKind } {
  if (alert.trim() === '') throw new CliError(EXIT.usage, 'The name of the alert is empty.');
  const kind = by ?? (isId(alert) ? 'id' : /^\d{1,15}$/.test(alert) ? 'tiny' : 'alias');
  return { path: `/v2/alerts/${encodeURIComponent(alert)}`, kind };
}

/** A thing in a body: by its id or its name. */
export const reference = (text: string): { readonly id: string } | { readonly name: string } =>
  isId(text) ? { id: text } : { name: text };

/** Whether a path names a schedule by id or by name. */
export const idOrName = (text: string): 'id' | 'name' => (isId(text) ? 'id' : 'name');
