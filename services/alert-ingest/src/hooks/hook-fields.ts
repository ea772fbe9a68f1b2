import type { TemplateFields } from '@tocsin/events';
import type { ConditionSubject } from '@tocsin/rules';
import type { HookItem } from './item.ts';

/** The fields of an item for filters of actions, besides its alert. */
export const hookConditions = (item: HookItem): ConditionSubject => ({ ...namedFields(item), ...item.texts });

/** The fields of an item for templates of actions, besides its alert. */
export const hookTemplateFields = (item: HookItem): TemplateFields => ({ ...namedFields(item), ...item.texts });

function namedFields({ fields, preset, state, priority, alias }: HookItem): Readonly<Record<string, string>> {
  return { ...fields, _preset: preset, _state: state ?? '', _priority: priority ?? '', _alias: alias };
}
