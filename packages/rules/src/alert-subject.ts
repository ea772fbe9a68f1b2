import type { Responder } from '@tocsin/contracts';
import type { ConditionSubject } from './conditions.ts';

/** What conditions may look at of an alert; responders only where they are known. */
export interface DescribedAlert {
  readonly message: string;
  readonly alias: string;
  readonly description: string;
  readonly source: string;
  readonly entity: string;
  readonly priority: string;
  readonly tags: readonly string[];
  readonly actions: readonly string[];
  readonly details: Readonly<Record<string, string>>;
  readonly responders?: readonly Responder[];
}

/** The fields of an alert under the names that conditions use for them (part 1, 2.9; P2). */
export function alertSubject(alert: DescribedAlert): ConditionSubject {
  const responders = alert.responders ?? [];
  const ids = (wanted: (type: Responder['type']) => boolean) =>
    responders.filter(({ type }) => wanted(type)).map(({ id }) => id);
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
    responders: ids(() => true),
    recipients: ids((type) => type !== 'team'),
    teams: ids((type) => type === 'team'),
  };
}
