import type { FormFields, IncomingText } from '../ports/callback-provider.ts';

/** The first value under a name. */
export const valueOf = (fields: FormFields, name: string): string | undefined =>
  fields.find(([each]) => each === name)?.[1];

/** The text message that a form tells of, by the fields that have its sender and its text. */
export function textIn(fields: FormFields, fromField: string, textField: string): IncomingText | undefined {
  const [from, text] = [valueOf(fields, fromField), valueOf(fields, textField)];
  return from === undefined || text === undefined ? undefined : { from, text };
}
