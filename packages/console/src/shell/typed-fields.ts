/** The fields of a form as they were typed before, which a draft has as JSON; those that it does not have are as at first. */
export function typedFields<T extends Readonly<Record<string, string>>>(draft: string | undefined, initial: T): T {
  if (draft === undefined) return initial;
  const kept = JSON.parse(draft) as Readonly<Record<string, string>>;
  return Object.fromEntries(Object.entries(initial).map(([name, text]) => [name, kept[name] ?? text])) as T;
}
