/** A thing as callers name one: by its id, or by its name, which is exact (E14). */
export type Reference = { readonly id: string } | { readonly name: string };

/** How a message names the thing that a caller meant. */
export const describeReference = (reference: Reference): string =>
  'id' in reference ? `id: ${reference.id}` : `name: ${reference.name}`;
