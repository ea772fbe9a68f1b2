import { given, listOf, oneOf, optional, optionalReference, requiredText } from '@tocsin/events';
import { z } from 'zod';
import { identifierType } from './query-values.ts';

/** A role as callers name one: by name (of a fixed role in any case), or by id. */
export type RoleReference = { readonly name: string } | { readonly id: string };

const named = z
  .object({ id: optionalReference(), name: optionalReference() }, 'should be an object with the name of a role')
  .transform(({ id, name }): RoleReference | undefined => {
    if (name !== undefined) return { name };
    return id === undefined ? undefined : { id };
  });

/** A role that must be named; the name goes before the id, as answers give both. Which roles exist is not known here. */
export const RoleReferenceBody: z.ZodType<RoleReference> = named
  .transform((reference, context) => {
    if (reference !== undefined && (!('name' in reference) || reference.name.trim() !== '')) return reference;
    context.addIssue({ code: 'custom', path: ['name'], message: 'Role name can not be empty.' });
    return z.NEVER;
  })
  .meta({
    anyOf: [
      { properties: { name: { type: 'string', pattern: '\\S' } }, required: ['name'] },
      { allOf: [given('id'), { properties: { name: { enum: ['', null] } } }] },
    ],
  });

/** As {@link RoleReferenceBody}; an object that names nothing is absent (E12). */
export const OptionalRoleReferenceBody: z.ZodType<RoleReference | undefined> = optional(named);

/** The role that a custom role extends (wire facts 5). */
export const ExtendedRole = oneOf(['user', 'observer', 'stakeholder']);
export type ExtendedRole = z.infer<typeof ExtendedRole>;

const rights = optional(listOf(requiredText('Right'))).transform((names = []) => [...new Set(names)]);

/**
 * A custom role as it is created and replaced (wire facts 5): it extends `user` by default. Rights are kept as they are
 * written, each once; which there are is not fixed.
 */
export const RoleBody = z
  .object({
    name: requiredText('Role name'),
    extendedRole: optional(ExtendedRole).transform((role = 'user') => role),
    grantedRights: rights,
    disallowedRights: rights,
  })
  .superRefine(({ grantedRights, disallowedRights }, context) => {
    const both = disallowedRights.find((right) => grantedRights.includes(right));
    if (both === undefined) return;
    context.addIssue({
      code: 'custom',
      path: ['disallowedRights'],
      message: `should not hold [${both}], which is granted`,
    });
  });
export type RoleBody = z.infer<typeof RoleBody>;

/** How the path names a role: by id by default. */
export const RoleQuery = z.object({ identifierType });
export type RoleQuery = z.infer<typeof RoleQuery>;
