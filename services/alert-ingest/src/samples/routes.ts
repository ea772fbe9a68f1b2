import type { AnswerOf } from '@tocsin/api';
import { NotFoundError } from '@tocsin/core';
import { formatInstant } from '@tocsin/events';
import { defineRoute, type Route } from '@tocsin/http';
import type { Integrations } from '../integrations/operations.ts';
import type { SampleSummary } from './sample.ts';
import type { SampleStore } from './store.ts';

interface SampleHandlers {
  /** They decide what the caller may see. */
  readonly integrations: Pick<Integrations, 'get'>;
  readonly samples: Pick<SampleStore, 'find' | 'list'>;
  /** How many samples of an integration are kept. */
  readonly webhookSamples: number;
}

/** `/v2/integrations/{id}/samples` (Q8). */
export const sampleRoutes = ({ integrations, samples, webhookSamples }: SampleHandlers): readonly Route[] => [
  defineRoute({
    operation: 'list-integration-samples',
    handle: async ({ params, principal }) => {
      const { id, keepSamples } = await integrations.get(params['integrationId'] ?? '', principal);
      const listed = await samples.list(id, keepSamples ? webhookSamples : 0);
      return { body: { data: listed.values().map(summaryView) } };
    },
  }),
  defineRoute({
    operation: 'get-integration-sample',
    handle: async ({ params, principal }) => {
      const { integrationId = '', sampleId = '' } = params;
      const { id, keepSamples } = await integrations.get(integrationId, principal);
      const sample = keepSamples ? await samples.find(id, sampleId) : undefined;
      if (sample === undefined) throw new NotFoundError(`There is no sample [${sampleId}] of this integration.`);
      return { body: { data: { ...summaryView(sample), request: sample.request } } };
    },
  }),
];

type SummaryView = AnswerOf<'list-integration-samples'>['data'] extends Iterable<infer T> ? T : never;

function summaryView({ id, isTruncated, receivedAt, result }: SampleSummary): SummaryView {
  const common = { id, receivedAt: formatInstant(receivedAt), isTruncated };
  if ('refusal' in result) return { ...common, refusal: result.refusal, itemCount: 0, items: [] };
  const { itemCount, items, preset } = result;
  return { ...common, preset, itemCount, items: [...items] };
}
