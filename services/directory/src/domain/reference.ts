/** An entity as callers name one: by its id, or by its name, which is exact (E14). */
export type Reference = { readonly id: string } | { readonly name: string };

/** How a message names the entity that a caller meant. */
export const describeReference = (reference: AnyReference): string =>
  reference.id === undefined ? `name: ${reference.name ?? ''}` : `id: ${reference.id}`;

/** A {@link Reference}, or one as bodies have it. */
export interface AnyReference {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}
