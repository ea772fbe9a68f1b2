import { ResponderType, type ResponderReference } from '@tocsin/events';
import { z } from 'zod';

const FORM = /^([a-z]+):(.+)$/i;

/** The responders of the alerts of audits, such as `team:Operations,user:ada@example.com`. None by default. */
export const AuditResponders = z
  .string()
  .default('')
  .transform((text, context): readonly ResponderReference[] =>
    text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
      .flatMap((each) => {
        const [, type, name] = FORM.exec(each) ?? [];
        const parsed = ResponderType.safeParse(type?.toLowerCase());
        if (parsed.success && name !== undefined) return [{ type: parsed.data, name: name.trim() }];
        context.addIssue(`should be a list such as team:Operations,user:ada@example.com, not [${each}]`);
        return [];
      }),
  )
  .refine((responders) => responders.length <= 50, 'should name at most 50');
