import { readFileSync } from 'node:fs';
import type { SchemaFacts } from './schema-facts.ts';

const FILE = new URL('../released-schemas.json', import.meta.url);

/** Topic -> what the last release read of it; without topics before the first release. */
export const RELEASED = JSON.parse(readFileSync(FILE, 'utf8')) as Readonly<Record<string, SchemaFacts>>;
