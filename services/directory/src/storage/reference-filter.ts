import type { Reference } from '../domain/reference.ts';

/** What finds the document of that id or name. */
export const referenceFilter = (reference: Reference): { readonly _id: string } | { readonly name: string } =>
  'id' in reference ? { _id: reference.id } : { name: reference.name };
