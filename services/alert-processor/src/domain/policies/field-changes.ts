import type { CreateAlert, ResponderReference } from '@tocsin/contracts';
import { abbreviated } from '@tocsin/rules';

/** How a modify policy changed one field, in words of bounded length. */
export interface FieldChange {
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

/** The fields in which `after` differs from `before`. */
export function fieldChanges(before: CreateAlert, after: CreateAlert): readonly FieldChange[] {
  const [one, other] = [fieldsOf(before), fieldsOf(after)];
  return Object.entries(one).flatMap(([field, from]) => {
    const to = other[field] ?? '';
    return from === to ? [] : [{ field, from: abbreviated(from), to: abbreviated(to) }];
  });
}

function fieldsOf({ alert, source }: CreateAlert): Readonly<Record<string, string>> {
  const { message, alias, description, entity, priority, responders, actions, tags, details } = alert;
  return {
    message,
    alias,
    description,
    source,
    entity,
    priority,
    responders: responders.map(nameOf).join(', '),
    actions: actions.join(', '),
    tags: tags.join(', '),
    details: Object.entries(details)
      .map(([name, value]) => `${name}: ${value}`)
      .join(', '),
  };
}

const nameOf = ({ type, id, name }: ResponderReference): string => `${type} ${name ?? id ?? ''}`;
