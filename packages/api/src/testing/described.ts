import { timeZone } from '@tocsin/events';
import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { z } from 'zod';
import { createSchema } from 'zod-openapi';

/** The API description of values that `schema` reads. */
export const described = (schema: z.ZodType): ReturnType<typeof createSchema> =>
  createSchema(schema, { io: 'input', openapiVersion: '3.1.1' });

/** Whether a value is one that the API description of `schema` allows. */
export function validator(schema: z.ZodType): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  ajv.addFormat('iana-time-zone', (name: string) => timeZone.safeParse(name).success);
  const { schema: root, components } = described(schema);
  const validate = ajv.compile({ ...(root as object), components: { schemas: components } });
  return (value) => validate(value);
}
