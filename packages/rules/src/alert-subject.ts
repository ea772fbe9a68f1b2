import type { Responder } from '@tocsin/events';
import type { ConditionSubject } from './condition-subject.ts';

/** The fields of an alert that conditions compare; responders only where they are known. */
export interface DescribedAlert<R extends Responder = Responder> {
  readonly message: string;
  readonly alias: string;
  readonly description: string;
  readonly source: string;
  readonly entity: string;
  readonly priority: string;
  readonly tags: readonly string[];
  readonly actions: readonly string[];
  readonly details: Readonly<Record<string, string>>;
  readonly responders?: readonly R[];
}

/**
 * The fields of an alert under the names that conditions use for them (part 1, 2.9; P2).
 *
 * A responder stands in its lists by its id and by its name, user name for users, where `nameOf` knows it: conditions match
 * either (P3).
 */
export function alertSubject<R extends Responder>(
  alert: DescribedAlert<R>,
  nameOf: (responder: R) => string | undefined = () => undefined,
): ConditionSubject {
  const teams: string[] = [];
  const recipients: string[] = [];
  for (const responder of alert.responders ?? []) {
    const texts = responder.type === 'team' ? teams : recipients;
    const name = nameOf(responder);
    texts.push(responder.id);
    if (name !== undefined) texts.push(name);
  }
  return {
    message: alert.message,
    alias: alert.alias,
    description: alert.description,
    source: alert.source,
    entity: alert.entity,
    priority: alert.priority,
    tags: alert.tags,
    actions: alert.actions,
    details: alert.details,
    'extra-properties': alert.details,
    responders: [...recipients, ...teams],
    recipients,
    teams,
  };
}
