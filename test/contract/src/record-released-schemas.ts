/** Run as a release is tagged: records what it reads of each topic, for the test of what the next one writes. */
import { writeFileSync } from 'node:fs';
import { ALL_TOPICS, type TopicDefinition } from '@tocsin/events';
import { factsOf } from './schema-facts.ts';

const topics = ALL_TOPICS as readonly unknown[] as readonly TopicDefinition<unknown>[];
const facts = Object.fromEntries(topics.map((topic) => [topic.name, factsOf(topic)]));
writeFileSync(new URL('../released-schemas.json', import.meta.url), `${JSON.stringify(facts, undefined, 2)}\n`);
